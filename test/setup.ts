import fc from "fast-check";

// Where a run decides whether a change lands, it is the same run for everybody; at a desk every run looks elsewhere.
if (process.env.CI) fc.configureGlobal({ seed: 20_261_130 });
