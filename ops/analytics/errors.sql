SELECT
  tenant,
  model,
  error,
  SUM(weight * count) AS errors
FROM (
  SELECT
    index1 AS tenant,
    blob2 AS model,
    blob9 AS error,
    double1 AS count,
    _sample_interval AS weight
  FROM toolsieve
  WHERE timestamp > NOW() - INTERVAL '1' DAY
)
WHERE error != ''
GROUP BY tenant, model, error
ORDER BY errors DESC
