import { notFound } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { checkHeaders } from './custom-headers.ts';
import { settingsChanged } from '../events.ts';
import * as queries from './queries.ts';
import type { EndpointSettings, SettingsChange } from '../schemas.ts';
import type { CustomHeaders, EndpointSecrets } from './secrets.ts';
import { oneEndpoint } from './service.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { normalText } from '../../../platform/text.ts';

/**
 * Whether header values are returned. Callers with write access may see them, because they could change the URL to a receiver of their own anyway.
 */
export type Reveal = 'values' | 'names';

const members = ['headers', 'maxPerSecond', 'description', 'signing'] as const;
const redacted = '[redacted]';

/** Returns the settings of an endpoint. Errors: 404. */
export async function getSettings(
  scope: ReadScope,
  secrets: EndpointSecrets,
  endpointId: string,
  reveal: Reveal,
): Promise<Versioned<EndpointSettings>> {
  const row = await scope.db.first(queries.findSettings, oneEndpoint(scope, endpointId));
  if (!row) throw notFound('webhook endpoint');
  return { value: present(row, headersOf(row, secrets), reveal), version: row.version };
}

/** Changes the given settings; null restores a default. `headers` replaces all headers. Applies from the next claim on. Errors: 400, 404, 412. */
export async function changeSettings(
  scope: Scope,
  secrets: EndpointSecrets,
  endpointId: string,
  input: SettingsChange,
  expect: VersionCheck,
): Promise<Versioned<EndpointSettings>> {
  const changed = members.filter((member) => input[member] !== undefined);
  if (changed.length === 0) {
    throw problems.validation_failed(`The body has no setting. Give ${members.map((member) => `\`${member}\``).join(', ')}.`, {
      errors: [{ name: 'body', pointer: '', reason: 'has no setting', rule: 'minProperties' }],
    });
  }
  const one = oneEndpoint(scope, endpointId);
  const { id } = one;
  // Locks first: the settings must not change between the read and the write.
  if (!(await scope.db.first(queries.lockEndpoint, one))) throw notFound('webhook endpoint');
  const kept = await scope.db.first(queries.findSettings, one);
  if (!kept) throw notFound('webhook endpoint');
  expect(kept.version);
  const headers = input.headers === undefined ? headersOf(kept, secrets) : checkHeaders(input.headers ?? {});
  const row = {
    id,
    version: kept.version,
    description: input.description === undefined ? kept.description : cleanDescription(input.description),
    signing: input.signing === undefined ? kept.signing : (input.signing ?? 'hmac'),
    max_per_second: input.maxPerSecond === undefined ? kept.max_per_second : input.maxPerSecond,
  };
  const { written } = await pipelined({
    written: () =>
      scope.db.first(queries.updateSettings, {
        team: scope.team,
        id,
        description: row.description,
        headers: Object.keys(headers).length === 0 ? null : secrets.sealHeaders(id, headers),
        signing: row.signing,
        maxPerSecond: row.max_per_second,
        at: scope.now,
      }),
    settingsChanged: () => recordAudit(scope, settingsChanged, id, { changed, headerNames: Object.keys(headers) }),
    wakeWorkers: () => scope.db.all(queries.wakeWorkers, { team: scope.team }),
  });
  return { value: present(row, headers, 'values'), version: written?.version ?? kept.version };
}

function headersOf(row: queries.SettingsRow, secrets: EndpointSecrets): CustomHeaders {
  return row.headers === null ? {} : secrets.openHeaders(row.id, row.headers);
}

function present(row: Omit<queries.SettingsRow, 'headers'>, headers: CustomHeaders, reveal: Reveal): EndpointSettings {
  return {
    headers: reveal === 'values' ? headers : Object.fromEntries(Object.keys(headers).map((name) => [name, redacted])),
    ...(row.max_per_second === null ? {} : { maxPerSecond: row.max_per_second }),
    ...(row.description === null ? {} : { description: row.description }),
    signing: row.signing === 'ed25519' ? 'ed25519' : 'hmac',
  };
}

/** Normalizes a description: several lines, no other control characters. An empty text becomes null. */
function cleanDescription(value: string | null): string | null {
  const text = normalText(value ?? '')
    .replaceAll('\r\n', '\n')
    .trim();
  if (/[^\P{Cc}\n\t]/u.test(text)) {
    const reason = 'must not contain control characters';
    throw problems.validation_failed(`\`description\` ${reason}.`, {
      errors: [{ name: 'description', pointer: '/description', reason, rule: 'description' }],
    });
  }
  return text === '' ? null : text;
}
