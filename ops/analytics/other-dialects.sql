SELECT
  model,
  told,
  dialect,
  SUM(weight * count) AS blocks
FROM (
  SELECT
    blob1 AS kind,
    blob2 AS model,
    blob7 AS told,
    blob11 AS dialect,
    double1 AS count,
    _sample_interval AS weight
  FROM toolsieve
  WHERE timestamp > NOW() - INTERVAL '1' DAY
)
WHERE kind = 'block' AND told != '' AND told != dialect
GROUP BY model, told, dialect
ORDER BY blocks DESC
LIMIT 50
