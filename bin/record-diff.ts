import { isObject } from "../src/json.ts";

/** What would change, a line for each member; what is the same twice is none. Secrets are not shown, sealed or not. */
export function differences(before: unknown, after: unknown, path = ""): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const lines = names.flatMap((name) =>
      differences(before[name], after[name], path === "" ? name : `${path}.${name}`),
    );
    // The first upstream is the one that is asked.
    return lines.length > 0 ? lines : [`${path}: in another order`];
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((item, index) => differences(before[index], item, `${path}.${index}`));
  }
  if (path.endsWith(".api_key")) return [`${path}: another secret`];
  return [`${path}: ${shown(before)} → ${shown(after)}`];
}

const SHOWN = 60;

function shown(value: unknown): string {
  if (value === undefined) return "none";
  const text = JSON.stringify(value, hide);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function hide(name: string, value: unknown): unknown {
  return name === "api_key" ? "…" : value;
}
