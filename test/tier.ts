/**
 * The two tiers of tests. `npm test` runs a seeded sample of each walk over the operations. `npm run test:all` runs each walk in full, and the files
 * named `*.exhaustive.test.ts`. `scripts/test.ts` sets the variables that this module reads.
 */
import { createHash } from 'node:crypto';
import process from 'node:process';
import { test, type TestContext } from 'node:test';

/** Whether walks and properties run in full. */
export const exhaustive = process.env.CHANCERY_TEST_TIER === 'all';

/** A test that only `npm run test:all` runs, because it takes long and shorter tests cover its parts. */
export const exhaustiveTest = (name: string, run: (context: TestContext) => void | Promise<void>): void =>
  void (exhaustive && test(name, run));

/** The seed of this run, for samples and for the inputs of properties. */
export const seed = Number(process.env.CHANCERY_TEST_SEED ?? '0');

/** The folder of `src/` that handles a path. The first matching pattern counts. */
const foldersByPath: readonly (readonly [RegExp, string])[] = [
  [/\/auth\/(?:sso|saml)|\/team\/sso/, 'sso'],
  [/\/team\/directories|\/scim/, 'directories'],
  [/\/matter/, 'matters'],
  [/\/auth\/staff|\/staff\//, 'staff'],
  [/\/security\/clients|\/oauth\/(token|revoke|introspect)/, 'clients'],
  [/\/oauth|\/connected-apps/, 'connected-apps'],
  [/\/security\/audit|\/tlog|witness/, 'journal'],
  [/\/team|\/invitations/, 'teams'],
  [/\/security/, 'accounts'],
  [/\/smartdoc\/folders/, 'folders'],
  [/\/smartdoc/, 'documents'],
  [/\/workflows/, 'workflows'],
  [/\/tasks/, 'tasks'],
  [/\/signature-batches/, 'signature-batches'],
  [/\/signatures?/, 'signatures'],
  [/\/evidence/, 'evidence'],
  [/\/bookings?|\/calendars?/, 'bookings'],
  [/\/interfaces/, 'forms'],
  [/\/document-templates/, 'document-templates'],
  [/\/registr/, 'registries'],
  [/\/agents\/(runs|cron)/, 'runs'],
  [/\/agents/, 'agents'],
  [/\/webhooks/, 'webhooks'],
  [/\/mcp/, 'mcp'],
  [/\/suggest/, 'address-suggestions'],
  [/\/issued-documents/, 'issued-documents'],
];

/** The folders of `src/` that the change under test touches. */
const touched = new Set((process.env.CHANCERY_TEST_TOUCHED ?? '').split(',').filter((folder) => folder !== ''));

const isTouched = (key: string) => {
  const [, folder] = foldersByPath.find(([pattern]) => pattern.test(key)) ?? [];
  return folder !== undefined && touched.has(folder);
};

/** Returns a number from 0 to 1, derived from the seed and the key. */
const drawn = (key: string) => createHash('sha256').update(`${seed} ${key}`).digest().readUInt32BE() / 2 ** 32;

/**
 * Tells whether a row of a walk runs: in `npm test` a `share` of the rows, and each row of a folder that the change touches. `key` names the row and
 * contains the path of its operation, such as `GET /api/v1/tasks/{id}`.
 */
export const isSampled = (key: string, share: number): boolean => exhaustive || isTouched(key) || drawn(key) < share;

/** Returns the rows of a walk that run. See `isSampled`. */
export const sample = <T>(rows: readonly T[], share: number, keyOf: (row: T) => string): T[] =>
  rows.filter((row) => isSampled(keyOf(row), share));

/** Returns the number of inputs for a property that costs CPU time: `full`, or a tenth of it in `npm test`. */
export const runs = (full: number): number => (exhaustive ? full : Math.ceil(full / 10));
