import { randomUUIDv7 } from 'node:crypto';
import type { BackupCodes } from '../../platform/crypto/backup-codes.ts';
import { matchTotp, newTotpSecret, readTotpCode, totpUri } from '../../platform/crypto/totp.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/identifiers.ts';
import type { FactorStatements } from './factor-queries.ts';
import { credentialProblems } from './problems.ts';

const setupMinutes = 10;
const maxTries = 5;

/** The owner of an authenticator app in set-up, a user or a member of staff, with its storage. */
export type SetupSide<Who extends object> = {
  tables: FactorStatements<Who>;
  who: Who;
  /** Encrypts and decrypts the secret of an app. */
  seal(secret: Buffer): Buffer;
  open(sealed: Buffer): Buffer;
  /** The issuer that an app displays with its codes. */
  issuer: string;
  /** The operation that starts a set-up. */
  begins: string;
};

const invalidSetup = ({ begins }: { begins: string }) =>
  credentialProblems.invalid_setup(`The set-up is unknown, replaced or expired. Start again with ${begins}.`);

/** Returns a new secret and backup codes. The factor stays off until a code of the secret is confirmed. */
export async function beginSetup<Who extends object>(
  side: SetupSide<Who>,
  db: Transaction,
  email: string,
  { codes, hashes }: BackupCodes,
): Promise<{ backupCodes: string[]; setupId: string; totpUri: string }> {
  const [secret, setupId] = [newTotpSecret(), randomUUIDv7()];
  await db.all(side.tables.putSetup, { ...side.who, id: setupId, secret: side.seal(secret), hashes, minutes: setupMinutes });
  return { backupCodes: codes, setupId, totpUri: totpUri(side.issuer, email, secret) };
}

/**
 * Checks the first code of a set-up and returns its time step, which the factor stores as used (RFC 6238
 * section 5.2). `spending` counts each try before the check. Throws 400 `invalid_setup` or `invalid_code`.
 */
export async function checkSetup<Who extends object>(
  side: SetupSide<Who>,
  spending: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>,
  { code: given, setupId: id }: { code: string; setupId: string },
  now: Date,
): Promise<number> {
  const setup = isUuid(id) ? await spending((tx) => tx.first(side.tables.trySetup, { ...side.who, id, maxTries })) : undefined;
  if (!setup) throw invalidSetup(side);
  const code = readTotpCode(given);
  const step = code === undefined ? undefined : matchTotp(side.open(setup.secret), code, now);
  if (step === undefined)
    throw credentialProblems.invalid_code('The code was not created with the new secret. Enter the code that the app shows now.');
  return step;
}

/** Deletes and returns a set-up. Only one of two concurrent confirmations gets it. Throws 400 `invalid_setup`. */
export async function takeSetup<Who extends object>(
  side: SetupSide<Who>,
  db: Transaction,
  id: string,
): Promise<{ secret: Buffer; backup_hashes: string[] }> {
  const setup = await db.first(side.tables.takeSetup, { ...side.who, id });
  if (!setup) throw invalidSetup(side);
  return setup;
}

/** Replaces all backup codes with new ones. */
export async function replaceCodes<Who extends object>(
  { tables, who }: Pick<SetupSide<Who>, 'tables' | 'who'>,
  db: Transaction,
  hashes: string[],
): Promise<void> {
  db.send(tables.dropBackupCodes, who);
  db.send(tables.insertBackupCodes, { ...who, hashes });
}
