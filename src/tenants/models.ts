import { DEMO_MODELS } from "../upstreams/demo.ts";
import type { Config } from "./config.ts";

/** Whether a client may ask for this model at all; without `MODELS` the upstream decides. */
export function allowsModel(config: Config, model: string): boolean {
  return config.models?.some((pattern) => matches(pattern, model)) ?? true;
}

/** The names that the configuration itself knows; undefined when only the upstream knows. */
export function configuredModels(config: Config): readonly string[] | undefined {
  if (config.models) return config.models.filter((pattern) => !pattern.includes("*"));
  if (config.upstream.kind === "demo") return DEMO_MODELS;
  return config.upstream.model === undefined ? undefined : [config.upstream.model];
}

/** `*` stands for any characters. Linear, unlike the regular expression that the pattern would make. */
function matches(pattern: string, name: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  const tail = rest.pop();
  if (tail === undefined) return name === head;
  if (!name.startsWith(head) || !name.endsWith(tail) || name.length < head.length + tail.length) return false;
  const end = name.length - tail.length;
  let at = head.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
