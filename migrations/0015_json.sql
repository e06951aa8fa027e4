-- Returns a value as JSON text. NULL and the JSON value null give NULL. JSON objects lose members that are null. PostgreSQL inlines these functions.
-- A statement with a value of another type fails when it is prepared: add a function for that type.
CREATE FUNCTION json_text(text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT to_json($1)::text $$;
CREATE FUNCTION json_text(text[]) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT to_json($1)::text $$;
CREATE FUNCTION json_text(uuid) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT '"' || $1 || '"' $$;
CREATE FUNCTION json_text(uuid[]) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT to_json($1)::text $$;
CREATE FUNCTION json_text(date) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT to_json($1)::text $$;
CREATE FUNCTION json_text(integer) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT $1::text $$;
CREATE FUNCTION json_text(bigint) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT $1::text $$;
CREATE FUNCTION json_text(boolean) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT $1::text $$;
CREATE FUNCTION json_text(json) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT nullif(json_strip_nulls($1)::text, 'null') $$;
CREATE FUNCTION json_text(jsonb) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT nullif(jsonb_strip_nulls($1)::text, 'null') $$;
