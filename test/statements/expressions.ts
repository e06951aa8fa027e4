/** Analyses single expressions of a parse tree: functions that return null, types and constants. */
import type { Catalog } from './catalog.ts';
import { nodeOf, targetsOf, type TreeNode, wordOf } from './node-tree.ts';

/** Kinds of a subquery in an expression (nodes/primnodes.h). */
export const sublink = { exists: '0', expression: '4', array: '6' };

/** Functions that return null only for a null argument. For other functions PostgreSQL does not state this. */
export const total = new Set(
  `now clock_timestamp statement_timestamp transaction_timestamp lower upper length octet_length char_length encode decode substring left right
   substr replace concat concat_ws to_char extract date_part date_trunc timezone make_interval justify_interval age floor ceil ceiling round trunc abs
   cardinality hashtextextended hashtext md5 sha256 gen_random_uuid uuidv7 pg_try_advisory_xact_lock pg_try_advisory_lock pg_advisory_xact_lock
   pg_advisory_lock pg_advisory_xact_lock_shared pg_notify set_config to_json to_jsonb json_build_object jsonb_build_object json_build_array
   jsonb_build_array row_to_json array_to_json array_append array_prepend array_cat string_to_array txid_current pg_backend_pid convert_to convert_from
   text int4 int8 int2 float8 float4 numeric bool date timestamptz interval count row_number rank dense_rank generate_series
   btrim ltrim rtrim trim position strpos to_timestamp host pg_current_xact_id pg_sleep pg_terminate_backend uuid_extract_timestamp array_remove json_array_length
   jsonb_array_length greatest least random version current_database format quote_ident starts_with repeat lpad rpad regexp_replace translate power
   check_person_credential check_client_credential check_staff_credential lock_team_credentials take_usage add_usage release_sso_domain write_webhook_outcomes erase_addresses requires_provider
   make_webhook_log_day thin_webhook_log_day confine_to_team`.split(/\s+/),
);
/** Operators that look up a value that can be missing. */
export const partial = new Set(
  [
    'json_object_field',
    'json_object_field_text',
    'json_array_element',
    'json_array_element_text',
    'json_extract_path',
    'json_extract_path_text',
  ].flatMap((name) => [name, name.replace('json', 'jsonb')]),
);
/** Aggregates that return null without rows or for nulls only. */
export const ofSome = new Set(
  'sum min max avg bool_or bool_and every array_agg string_agg json_agg jsonb_agg json_object_agg jsonb_object_agg first_value last_value'.split(
    ' ',
  ),
);

const typeMembers = [
  'vartype',
  'consttype',
  'paramtype',
  'funcresulttype',
  'opresulttype',
  'aggtype',
  'wintype',
  'resulttype',
  'coalescetype',
  'casetype',
  'minmaxtype',
  'array_typeid',
  'row_typeid',
];

/** Returns the type of an expression. */
export function typeOf(expression: TreeNode, catalog: Catalog): string {
  for (const member of typeMembers) if (typeof expression[member] === 'string') return catalog.typeName(expression[member]);
  if (/^(?:NULLTEST|BOOLEXPR|BOOLEANTEST|SCALARARRAYOPEXPR|DISTINCTEXPR)$/.test(expression.kind)) return 'boolean';
  if (expression.kind === 'SUBLINK') {
    if (expression.subLinkType === sublink.exists) return 'boolean';
    const first = nodeOf(expression.subselect) && targetsOf(nodeOf(expression.subselect) as TreeNode)[0];
    const type = first ? typeOf(nodeOf(first.expr) as TreeNode, catalog) : 'unknown';
    return expression.subLinkType === sublink.array ? `${type}[]` : type;
  }
  return 'unknown';
}

/** Returns the text of a constant as its only possible value. */
export function textOf(constant: TreeNode, catalog: Catalog): string[] | undefined {
  const text = constantText(constant, catalog);
  return text === undefined ? undefined : [text];
}

/** Decodes the bytes of a constant, which begin with four bytes for the length, or with one byte for short values. */
export function constantText(constant: TreeNode, catalog: Catalog): string | undefined {
  if (constant.kind === 'RELABELTYPE' || constant.kind === 'COERCEVIAIO') return constantText(constant.arg as TreeNode, catalog);
  if (constant.kind !== 'CONST' || !Array.isArray(constant.constvalue)) return undefined;
  const [, bytes] = constant.constvalue;
  const type = catalog.typeName(wordOf(constant.consttype));
  if (!Array.isArray(bytes) || !/^(?:text|character varying|unknown)$/.test(type)) return undefined;
  const raw = Buffer.from(bytes.map((byte) => Number(byte) & 0xff));
  return type === 'unknown' ? raw.subarray(0, -1).toString() : raw.subarray(4).toString();
}
