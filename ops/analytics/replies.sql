SELECT
  model,
  wire,
  outcome,
  SUM(weight * count) AS replies,
  SUM(weight * calls) AS delivered_calls
FROM (
  SELECT
    blob1 AS kind,
    blob2 AS model,
    blob3 AS wire,
    blob8 AS outcome,
    double1 AS count,
    double2 AS calls,
    _sample_interval AS weight
  FROM toolsieve
  WHERE timestamp > NOW() - INTERVAL '1' DAY
)
WHERE kind = 'reply'
GROUP BY model, wire, outcome
ORDER BY replies DESC
