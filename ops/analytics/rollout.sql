SELECT
  model,
  rollout,
  SUM(weight * count) AS blocks,
  sumIf(weight * count, outcome = 'call') / SUM(weight * count) AS success_rate,
  sumIf(weight * count, outcome = 'malformed') / SUM(weight * count) AS malformed_rate,
  SUM(weight * repaired) / SUM(weight * count) AS repair_rate
FROM (
  SELECT
    blob1 AS kind,
    blob2 AS model,
    blob6 AS rollout,
    blob8 AS outcome,
    double1 AS count,
    double4 AS repaired,
    _sample_interval AS weight
  FROM toolsieve
  WHERE timestamp > NOW() - INTERVAL '7' DAY
)
WHERE kind = 'block' AND rollout != 'none'
GROUP BY model, rollout
ORDER BY model, rollout
