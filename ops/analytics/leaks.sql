SELECT
  tenant,
  model,
  SUM(weight * count) AS blocks,
  sumIf(weight * count, outcome = 'malformed') / SUM(weight * count) AS malformed_rate
FROM (
  SELECT
    index1 AS tenant,
    blob1 AS kind,
    blob2 AS model,
    blob8 AS outcome,
    double1 AS count,
    _sample_interval AS weight
  FROM toolsieve
  WHERE timestamp > NOW() - INTERVAL '30' MINUTE
)
WHERE kind = 'block'
GROUP BY tenant, model
HAVING blocks >= 50 AND malformed_rate > 0.05
ORDER BY malformed_rate DESC
