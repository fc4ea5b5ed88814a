SELECT
  model,
  source,
  dialect,
  SUM(weight * count) AS blocks,
  sumIf(weight * count, outcome = 'call') / SUM(weight * count) AS success_rate,
  sumIf(weight * count, outcome = 'malformed') / SUM(weight * count) AS malformed_rate,
  sumIf(weight * count, outcome = 'truncated') / SUM(weight * count) AS truncated_rate,
  SUM(weight * repaired) / SUM(weight * count) AS repair_rate
FROM (
  SELECT
    blob1 AS kind,
    blob2 AS model,
    blob8 AS outcome,
    blob10 AS source,
    blob11 AS dialect,
    double1 AS count,
    double4 AS repaired,
    _sample_interval AS weight
  FROM toolsieve
  WHERE timestamp > NOW() - INTERVAL '1' DAY
)
WHERE kind = 'block'
GROUP BY model, source, dialect
ORDER BY blocks DESC
