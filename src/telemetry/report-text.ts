import { REPORT_LIMITS } from "../limits.ts";
import { inLogSpelling } from "./log.ts";
import type { ReplyReport } from "./reply-report.ts";

/**
 * What a client is told of its own reply: a line of ASCII, JSON as in the log, without what is the operator's alone and what another
 * header says.
 */
export function reportText({ requestId, tenant, key, route, model, ...told }: ReplyReport): string {
  const whole = JSON.stringify(inLogSpelling(told));
  if (whole.length <= REPORT_LIMITS.text) return whole;
  const single = Object.entries(told).filter(([, member]) => !Array.isArray(member));
  return JSON.stringify(inLogSpelling({ ...Object.fromEntries(single), listsLeftOut: true }));
}

/** What stands at a stream's end, where its wire bears it. */
export function reportComment(report: ReplyReport): string {
  return `: toolcall-report ${reportText(report)}\n\n`;
}
