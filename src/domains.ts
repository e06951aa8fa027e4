import { domain as keys } from '#keys';
import { domain as credentials } from '#credentials';
import { domain as accounts } from '#accounts';
import { domain as audit } from '#audit';
import { domain as webhooks } from '#webhooks';
import { domain as clients } from '#clients';
import { domain as sso } from '#sso';
import { domain as teams } from '#teams';
import { domain as staff } from '#staff';
import { domain as folders } from '#folders';
import { domain as documents } from '#documents';
import { domain as tasks } from '#tasks';
import { domain as workflows } from '#workflows';
import { domain as pages } from '#pages';
import type { Domain } from './platform/domain.ts';
import { gatherTexts, type Texts } from './platform/http/openapi/texts.ts';
import { platformTables, type Table, type Tables } from './platform/tables.ts';

/** Every domain, each after those it uses. */
export const domains: readonly Domain[] = [
  keys,
  credentials,
  accounts,
  audit,
  webhooks,
  clients,
  sso,
  teams,
  staff,
  folders,
  documents,
  tasks,
  workflows,
  pages,
];

/** Every table with its owner, in the order in which rows can be made: what a row points to stands before it. */
export const ownedTables: readonly { name: string; owner: string; table: Table }[] = [
  { name: 'platform', tables: platformTables },
  ...domains,
].flatMap(({ name: owner, tables }: { name: string; tables: Tables }) =>
  Object.entries(tables).map(([name, table]) => ({ name, owner, table })),
);

/** What every part says of its operations, in the description of the API: loaded when that is asked for. */
export async function loadTexts(): Promise<Texts> {
  const platform = () => import('./platform/http/openapi/platform-text.ts');
  const loads = [platform, ...domains.flatMap(({ description }) => description ?? [])];
  const parts = await Promise.all(loads.map((load) => load()));
  return gatherTexts(parts.map(({ description }) => description));
}
