/** A series that an expression of PromQL names. */
export interface Named {
  name: string;
  matchers: { label: string; value: string }[];
  /** By which it is summed (`by`), in all sums around it, or joined with others (`on` and the like). */
  labels: string[];
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[a-zA-Z_:][\w:]*|\$\w+|[\d.]+[a-z]*|!=|=~|!~|[^\s]/g;
const LISTS = new Set(["by", "without", "on", "ignoring", "group_left", "group_right"]);
const WORDS = new Set(["and", "or", "unless", "offset", "bool"]);

/** All of them. Whether it is PromQL at all is for promtool to say. */
export function namesIn(expression: string): Named[] {
  const tokens: readonly string[] = expression.match(TOKEN) ?? [];
  const named: Named[] = [];
  const joined: string[] = [];
  /** Labels of each pair of brackets that is open, and of the next one. */
  const open: string[][] = [];
  let next: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const [token = "", following = ""] = tokens.slice(at, at + 2);
    if (LISTS.has(token) && following === "(") {
      const end = tokens.indexOf(")", at);
      const list = tokens.slice(at + 2, end).filter((each) => each !== ",");
      if (token === "by") next = list;
      else joined.push(...list);
      at = end;
    } else if (token === "(") {
      open.push(next);
      next = [];
    } else if (token === ")") {
      open.pop();
    } else if (token === "[") {
      at = tokens.indexOf("]", at);
    } else if (/^[a-zA-Z_:]/.test(token) && following !== "(" && !LISTS.has(following) && !WORDS.has(token)) {
      const end = following === "{" ? tokens.indexOf("}", at) : at;
      named.push({ name: token, matchers: matchersIn(tokens.slice(at + 2, end)), labels: open.flat() });
      at = end;
    }
  }
  return named.map((each) => ({ ...each, labels: [...each.labels, ...joined] }));
}

function matchersIn(tokens: readonly string[]) {
  const matchers: Named["matchers"] = [];
  for (let at = 0; at < tokens.length; at += 4) {
    const [label = "", , value = '""'] = tokens.slice(at, at + 3);
    matchers.push({ label, value: JSON.parse(value) });
  }
  return matchers;
}
