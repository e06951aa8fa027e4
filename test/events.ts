import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type pg from 'pg';
import { actCatalogue } from '../src/platform/journal/audit-actions.ts';
import { presentCatalogue } from '../src/automation/webhooks/present.ts';

/** An error of one recorded event. */
type EventError = { id: string; type: string; error: string };

/** Returns a copy of a schema whose objects allow only their declared members, so that events have no undescribed members. */
function closed(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([member, value]) => [member, closed(value)]));
  return schema.type === 'object' && schema.properties && !('additionalProperties' in schema)
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** Returns validators by type, compiled at the first use: catalogues are complete only after every domain is loaded. */
function validatorsOf(described: () => Iterable<{ type: string; schema: unknown }>): (type: string) => ValidateFunction | undefined {
  let known: Map<string, ValidateFunction> | undefined;
  return (type) => {
    if (!known) {
      const ajv = new Ajv2020({ strict: false, allErrors: true });
      addFormats.default(ajv);
      known = new Map(Array.from(described(), ({ type: name, schema }) => [name, ajv.compile(closed(schema))]));
    }
    return known.get(type);
  };
}
const validatorOf = validatorsOf(presentCatalogue);
const entryValidatorOf = validatorsOf(() => Array.from(actCatalogue.values(), ({ type, data }) => ({ type, schema: { ...data } })));
const said = (validate: ValidateFunction) =>
  (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ');

/** Types of rows that tests insert directly. */
const madeByTests = /^test\./;

/** Returns the events of a database that do not fit the catalogue schema of their type, or whose row differs from their body. */
export async function faultyEvents(pool: pg.Pool): Promise<EventError[]> {
  const { rows } = await pool.query('SELECT team_id, id, type, body FROM event WHERE octet_length(body) > 0');
  return rows.flatMap((row) => {
    const error = madeByTests.test(row.type) ? undefined : errorOf(row);
    return error === undefined ? [] : [{ id: row.id, type: row.type, error: error }];
  });
}

type Row = { team_id: string; id: string; type: string; body: Buffer };
type Envelope = { id: string; teamId: string; data: { teamId: string } };

function errorOf(row: Row): string | undefined {
  const validate = validatorOf(row.type);
  if (!validate) return 'its type is not in the catalogue';
  const text = row.body.toString();
  const event = JSON.parse(text) as Envelope;
  if (!validate(event)) return said(validate);
  if (event.id !== row.id || event.teamId !== row.team_id || event.data.teamId !== row.team_id)
    return 'its body has another id or team than its row';
  return text === JSON.stringify(event) ? undefined : 'its bytes differ from its JSON';
}

/** Returns the journal entries with members that their action does not declare, or without required members. */
export async function faultyEntries(pool: pg.Pool): Promise<EventError[]> {
  const { rows } = await pool.query("SELECT DISTINCT ON (type, data) id, type, data FROM audit_entry WHERE NOT data ? 'dataTruncated'");
  return rows.flatMap(({ id, type, data }) => {
    if (madeByTests.test(type)) return [];
    const validate = entryValidatorOf(type);
    if (!validate) return [{ id, type, error: 'no audit action has this type' }];
    return validate(data) ? [] : [{ id, type, error: said(validate) }];
  });
}

/** Throws if a recorded event or journal entry does not fit its schema. Every test file ends with this check. */
export async function checkEvents(pool: pg.Pool): Promise<void> {
  const invalid = [...(await faultyEvents(pool)), ...(await faultyEntries(pool))];
  if (invalid.length === 0) return;
  const shown = invalid.slice(0, 10).map(({ id, type, error }) => `${type} ${id}: ${error}`);
  throw new Error(`${invalid.length} recorded events or entries do not fit the catalogue:\n${shown.join('\n')}`);
}
