import { matchesAny } from "../glob.ts";
import { DEMO_MODELS } from "../upstreams/demo.ts";
import type { Config } from "./config.ts";

/** Whether a client may ask for this model at all; without `MODELS` the upstream decides. */
export function allowsModel(config: Config, model: string): boolean {
  return config.models === undefined || matchesAny(config.models, model);
}

/** The names that the configuration itself knows; undefined when only the upstream knows. */
export function configuredModels(config: Config): readonly string[] | undefined {
  if (config.models) return config.models.filter((pattern) => !pattern.includes("*"));
  if (config.upstream.kind === "demo") return DEMO_MODELS;
  if (config.upstream.model !== undefined) return [config.upstream.model];
  // Its list is one of all models, page by page, and most of them cannot chat.
  return config.upstream.kind === "workers-ai" ? [] : undefined;
}
