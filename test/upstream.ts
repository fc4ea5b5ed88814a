import type { TestProject } from "vitest/node";
import { startScriptedUpstream } from "./scripted-upstream/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Base URL of the scripted upstream. */
    upstream: string;
  }
}

export default async function setup(project: TestProject) {
  const { url, close } = await startScriptedUpstream();
  project.provide("upstream", url);
  return close;
}
