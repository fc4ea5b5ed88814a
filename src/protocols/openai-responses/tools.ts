import type { JsonObject, Tool } from "../../conversation.ts";
import { isObject } from "../../json.ts";
import { readString } from "../fields.ts";
import { readTool } from "../openai/tools.ts";
import { createToolList, readEntries, readToolName } from "../tool-list.ts";
import type { Warn } from "../warnings.ts";

/** What a client calls a tool. */
export interface ClientName {
  name: string;
  namespace?: string;
}

/**
 * Between the client's names and those that the model is shown. The model is shown a tool under its bare name, whatever
 * its namespace; where another tool has that name already, the namespace stands before it.
 */
export interface ToolNames {
  shown(name: string, namespace: string | undefined): string;
  /** Codex refuses a call that has not the bare name and the namespace beside it. */
  client(shown: string): ClientName;
}

/** `tools`, with the tools of namespaces in the place of these. */
export function readTools(body: JsonObject, warn: Warn): { tools: Tool[]; names: ToolNames } {
  const list = createToolList(warn);
  const declared: Tool[] = [];
  for (const [path, entry, namespace] of flatten(body)) {
    const tool = readTool(entry, path);
    if (tool) declared.push(namespace === undefined ? tool : { ...tool, namespace });
    else list.addHosted(readString(entry, "type", `${path}.`) ?? "");
  }
  const names = createToolNames(declared);
  for (const tool of declared) list.add({ ...tool, name: names.shown(tool.name, tool.namespace) });
  return { tools: list.read(), names };
}

function flatten(body: JsonObject): [path: string, tool: JsonObject, namespace?: string][] {
  return [...readEntries(body, "tools"), ...additionalEntries(body)].flatMap(
    ([path, entry]): [string, JsonObject, string?][] => {
      if (entry.type !== "namespace") return [[path, entry]];
      const namespace = readToolName(entry, path);
      return readEntries(entry, "tools", `${path}.`).map(([place, tool]) => [place, tool, namespace]);
    },
  );
}

/** Tools that came up in the conversation. */
function additionalEntries({ input }: JsonObject): [path: string, tool: JsonObject][] {
  const items = Array.isArray(input) ? input : [];
  return items.flatMap((item, index) =>
    isObject(item) && item.type === "additional_tools" ? readEntries(item, "tools", `input[${index}].`) : [],
  );
}

function createToolNames(tools: readonly Tool[]): ToolNames {
  /** By namespace and name, which hold no blank. */
  const shownNames = new Map<string, string>();
  const clientNames = new Map<string, ClientName>();
  // A tool without a namespace has no other name to be shown under, wherever in the list it stands.
  const taken = new Set(tools.filter(({ namespace }) => namespace === undefined).map(({ name }) => name));

  for (const { name, namespace } of tools) {
    if (namespace === undefined) continue;
    const key = `${namespace} ${name}`;
    if (shownNames.has(key)) continue;
    const shown = taken.has(name) ? `${namespace}__${name}` : name;
    shownNames.set(key, shown);
    // Of two tools with one name the first counts, here as in the list.
    if (!taken.has(shown)) clientNames.set(shown, { name, namespace });
    taken.add(shown);
  }
  return {
    shown: (name, namespace) => (namespace !== undefined && shownNames.get(`${namespace} ${name}`)) || name,
    client: (shown) => clientNames.get(shown) ?? { name: shown },
  };
}
