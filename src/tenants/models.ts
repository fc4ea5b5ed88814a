import { familyOf } from "../dialects/models.ts";
import { matchesAny, matchesGlob } from "../glob.ts";
import { DEMO_MODELS } from "../upstreams/demo.ts";
import type { Config } from "./config.ts";
import { OTHER_MODEL } from "./count-keeper.ts";

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

/**
 * What the numbers call a model: the operator's name or pattern for it, or our table's, never what a client has written: anybody
 * could make a label of his own.
 *
 * @param config the tenant's, of all models
 * @param model what the client calls it
 */
export function labelOfModel(config: Config, model: string): string {
  const { routes, models = [], upstream } = config;
  const patterns = [...routes.flatMap((route) => route.models), ...models];
  // One that fits all of them tells none.
  const named = patterns.find((pattern) => matchesGlob(pattern, model) && !/^\*+$/.test(pattern));
  if (named !== undefined) return named;
  if (upstream.kind === "demo") return "demo";
  return upstream.model ?? familyOf(model) ?? OTHER_MODEL;
}
