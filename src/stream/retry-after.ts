/**
 * How long an answer asks to wait, in seconds, or undefined. Read from `retry-after-ms` or `retry-after`, whose value is
 * a number of seconds or a date (RFC 9110, 10.2.3).
 */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const milliseconds = number(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds / 1000;
  const value = headers.get("retry-after");
  const seconds = number(value);
  if (seconds !== undefined) return seconds;
  // A date has letters in it; `Date.parse` takes a lone number for one, too.
  const date = value !== null && /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

function number(text: string | null): number | undefined {
  return text !== null && /^\s*\d{1,12}(?:\.\d{1,12})?\s*$/.test(text) ? Number(text) : undefined;
}
