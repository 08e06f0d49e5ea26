-- Ids of get-methods were stored as signed 19-bit integers.
update contract_methods set methods = (
  select array_agg(id order by id)
  from (select case when method < 0 then method + 524288 else method end from unnest(methods) method) unsigned (id)
)
where 0 > any(methods);
