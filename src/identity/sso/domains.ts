import { parseEmail } from '#accounts';
import { violates } from '../../platform/database/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import { domainVerified } from './events.ts';
import type { Sso } from './context.ts';
import { ssoProblems } from './problems.ts';
import * as queries from './queries.ts';

/** The DNS name of the record that proves the ownership of a domain. */
export const recordName = (domain: string): string => `_chancery.${domain}`;
export const recordValue = (proof: string): string => `chancery-domain=${proof}`;

/** Returns the normalized domains without repetitions. Throws 400 `validation_failed`. */
export function cleanDomains(given: readonly string[]): string[] {
  const read = given.map((name, index) => {
    const email = parseEmail(`someone@${name.trim()}`);
    if (email) return email.key.slice('someone@'.length);
    const reason = 'must be a domain of addresses, such as example.com';
    throw problems.validation_failed(`\`domains\` ${reason}.`, {
      errors: [{ name: 'domains', pointer: `/domains/${index}`, reason, rule: 'domain' }],
    });
  });
  return [...new Set(read)].toSorted();
}

/** Returns the unverified domains of a connection whose record is now in the DNS. No transaction is open during the lookups. */
export async function findProofs(sso: Sso, database: Database, team: string, id: string): Promise<{ domain: string; proof: string }[]> {
  const row = await database.reader(team).first(queries.findConnection, { team, id });
  const waiting = (row?.domains ?? []).filter(({ verifiedAt }) => verifiedAt === undefined);
  const found = await Promise.all(
    waiting.map(async ({ domain, proof }) =>
      (await sso.lookupText(recordName(domain)))?.includes(recordValue(proof)) ? [{ domain, proof }] : [],
    ),
  );
  return found.flat();
}

/** Marks domains with a found proof as verified. Throws 409 `domain_taken`. */
export async function markVerified(scope: Scope, id: string, found: readonly { domain: string; proof: string }[]): Promise<void> {
  for (const { domain, proof } of found) {
    try {
      await scope.db.all(queries.releaseDomain, { domain });
      const marked = await scope.db.first(queries.verifyDomain, { team: scope.team, id, domain, proof, at: scope.now });
      if (marked) await recordAudit(scope, domainVerified, id, { domain });
    } catch (error) {
      if (violates(error, 'sso_domain_once'))
        throw ssoProblems.domain_taken(`Another connection has verified ${domain}. Remove it from that connection first.`);
      throw error;
    }
  }
  if (found.length > 0) await scope.db.all(queries.touchConnection, { team: scope.team, id, at: scope.now });
}
