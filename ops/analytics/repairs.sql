SELECT
  model,
  dialect,
  reason AS repair,
  SUM(weight * count) AS blocks
FROM (
  SELECT
    blob1 AS kind,
    blob2 AS model,
    blob11 AS dialect,
    blob12 AS reason,
    double1 AS count,
    _sample_interval AS weight
  FROM toolsieve
  WHERE timestamp > NOW() - INTERVAL '1' DAY
)
WHERE kind = 'repair'
GROUP BY model, dialect, repair
ORDER BY blocks DESC
LIMIT 20
