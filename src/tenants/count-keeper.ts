/** How often something happened. */
export interface Count {
  /** What is counted, by its name; with an ending for a bucket or the sum of a histogram. */
  series: string;
  /** Values of its labels, in their order. */
  labels: readonly string[];
  value: number;
}

/** What is counted of replies that have a model and a wire in common. */
export interface Tally {
  model: string;
  wire: string;
  counts: readonly Count[];
}
