/**
 * Whether a text is one that a grammar in GBNF describes: literals, classes of characters, alternatives, groups and `* + ?`. All
 * places that a rule may end at are kept, so nothing depends on the order of alternatives.
 */
export function matchesGrammar(grammar: string, text: string): boolean {
  const sources = grammar.split("\n").map((line) => line.split(/ ::= (.*)/s) as [string, string]);
  const rules = new Map(sources.map(([name, source]) => [name, parse(source)]));
  const characters = [...text];

  function match(node: Node, from: ReadonlySet<number>): Set<number> {
    switch (node.type) {
      case "literal": {
        const wanted = [...node.text];
        const here = [...from].filter((at) => wanted.every((each, index) => characters[at + index] === each));
        return new Set(here.map((at) => at + wanted.length));
      }
      case "class":
        return new Set([...from].flatMap((at) => (node.pattern.test(characters[at] ?? "") ? [at + 1] : [])));
      case "rule": {
        const rule = rules.get(node.name);
        if (!rule) throw new Error(`no rule ${node.name}`);
        return from.size === 0 ? new Set() : match(rule, from);
      }
      case "sequence":
        return node.of.reduce((places, each) => match(each, places), new Set(from));
      case "choice":
        return new Set(node.of.flatMap((each) => [...match(each, from)]));
      case "repeat": {
        const all = new Set(node.least === 0 ? from : []);
        for (
          let places = match(node.of, from);
          [...places].some((at) => !all.has(at));
          places = match(node.of, places)
        ) {
          for (const at of places) all.add(at);
          if (node.most === 1) break;
        }
        return all;
      }
      default:
        return node satisfies never;
    }
  }

  return match({ type: "rule", name: "root" }, new Set([0])).has(characters.length);
}

type Node =
  | { type: "literal"; text: string }
  | { type: "class"; pattern: RegExp }
  | { type: "rule"; name: string }
  | { type: "sequence" | "choice"; of: Node[] }
  | { type: "repeat"; of: Node; least: 0 | 1; most: number };

const TOKEN = /"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|[a-z-]+|[()|*+?]/g;

function parse(source: string): Node {
  const tokens = source.match(TOKEN) ?? [];
  const solid = (text: string) => text.replaceAll(" ", "");
  if (solid(tokens.join("")) !== solid(source)) throw new Error(`no rule: ${source}`);
  const choice = (): Node => {
    const of = [sequence()];
    while (tokens[0] === "|") {
      tokens.shift();
      of.push(sequence());
    }
    return { type: "choice", of };
  };
  const sequence = (): Node => {
    const of: Node[] = [];
    while (tokens[0] !== undefined && !/^[|)]$/.test(tokens[0])) of.push(repeated(atom(tokens.shift() ?? "")));
    return { type: "sequence", of };
  };
  const atom = (token: string): Node => {
    if (token === "(") {
      const inner = choice();
      tokens.shift();
      return inner;
    }
    if (token.startsWith('"')) return { type: "literal", text: JSON.parse(token) };
    return token.startsWith("[")
      ? { type: "class", pattern: new RegExp(`^${token}$`, "u") }
      : { type: "rule", name: token };
  };
  const repeated = (of: Node): Node => {
    if (!/^[*+?]$/.test(tokens[0] ?? "")) return of;
    const sign = tokens.shift();
    return { type: "repeat", of, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
  };
  return choice();
}
