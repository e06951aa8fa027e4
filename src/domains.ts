import { domain as keys } from '#keys';
import { domain as credentials } from '#credentials';
import { domain as accounts } from '#accounts';
import { domain as bounces } from '#bounces';
import { domain as journal } from '#journal';
import { domain as webhooks } from '#webhooks';
import { domain as sso } from '#sso';
import { domain as teams } from '#teams';
import { domain as workingTime } from '#working-time';
import { domain as staff } from '#staff';
import { domain as access } from '#access';
import { domain as directories } from '#directories';
import { domain as folders } from '#folders';
import { domain as clients } from '#clients';
import { domain as connectedApps } from '#connected-apps';
import { domain as documents } from '#documents';
import { domain as downloads } from '#downloads';
import { domain as signatures } from '#signatures';
import { domain as tasks } from '#tasks';
import { domain as agents } from '#agents';
import { domain as approvals } from '#approvals';
import { domain as workflows } from '#workflows';
import { domain as fields } from '#fields';
import { domain as registries } from '#registries';
import { domain as bookings } from '#bookings';
import { domain as issuedDocuments } from '#issued-documents';
import { domain as addressSuggestions } from '#address-suggestions';
import { domain as forms } from '#forms';
import { domain as matters } from '#matters';
import { domain as documentTemplates } from '#document-templates';
import { domain as signatureBatches } from '#signature-batches';
import { domain as evidence } from '#evidence';
import { domain as runs } from '#runs';
import { domain as resources } from '#resources';
import { domain as inbox } from '#inbox';
import { domain as mcp } from '#mcp';
import { domain as publicPages } from '#public-pages';
import { keptKeys } from './platform/database/service-state.ts';
import type { SealedColumn } from './platform/database/reencrypt.ts';
import type { ConfigOf, Domain } from './platform/domain.ts';
import { sealedResponses } from './platform/http/idempotency.ts';
import { collectDescriptionTexts, type DescriptionTexts } from './platform/http/openapi/texts.ts';
import type { Tool, ToolDependencies } from './platform/tools.ts';
import { type OwnedTable, platformTables, type Tables } from './platform/tables.ts';

/** All domains. Each comes after the domains that it uses. */
const listed = [
  keys,
  credentials,
  accounts,
  bounces,
  journal,
  webhooks,
  sso,
  teams,
  workingTime,
  staff,
  access,
  directories,
  folders,
  clients,
  connectedApps,
  documents,
  downloads,
  signatures,
  tasks,
  fields,
  approvals,
  agents,
  workflows,
  registries,
  bookings,
  issuedDocuments,
  addressSuggestions,
  forms,
  documentTemplates,
  signatureBatches,
  evidence,
  matters,
  runs,
  resources,
  inbox,
  mcp,
  publicPages,
] as const;

export const domains: readonly Domain[] = listed;

type All<One> = (One extends unknown ? (one: One) => void : never) extends (all: infer Each) => void ? Each : never;
/** The settings of all domains. */
export type DomainConfig = All<ConfigOf<(typeof listed)[number]>>;

/** All tables with their owners, in an order in which rows can be inserted: a referenced table comes before the table that references it. */
export const ownedTables: readonly OwnedTable[] = [{ name: 'platform', tables: platformTables }, ...domains].flatMap(
  ({ name: owner, tables }: { name: string; tables: Tables }) => Object.entries(tables).map(([name, table]) => ({ name, owner, table })),
);

/** All encrypted columns. A test searches the database for encrypted columns that are missing here. */
export const sealedColumns: readonly SealedColumn[] = [keptKeys, ...domains.flatMap(({ sealed }) => sealed), sealedResponses];

/** Loads the descriptions of all operations for the API description. */
export async function loadTexts(): Promise<DescriptionTexts> {
  const platform = () => import('./platform/http/openapi/platform-text.ts');
  const parts = await Promise.all([platform, ...domains.map(({ description }) => description)].map((load) => load()));
  return collectDescriptionTexts(parts.map(({ description }) => description));
}

/** Loads the tools of all domains, sorted by name. */
export async function loadTools(deps: ToolDependencies): Promise<readonly Tool[]> {
  const parts = await Promise.all(domains.map((domain) => domain.tools(deps)));
  return parts.flat().toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
