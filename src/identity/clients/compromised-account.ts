import type { AccessTokens, MadeBy } from '#accounts';
import { endInvitationsBy } from '#teams';
import { recordAudit } from '../../platform/journal/record.ts';
import { clientAwaits } from './events.ts';
import * as queries from './queries.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/**
 * Reports the clients of a departed or reset user, because an attacker may know their
 * secrets. Clients with write scopes are suspended until a takeover if the team requires it.
 */
export function clientsMadeBy(tokens: AccessTokens): MadeBy {
  return async (scope, account, why) => {
    const found = await scope.db.all(queries.awaitTakeover, { team: scope.team, account, at: scope.now });
    const waiting = found.filter(({ waits }) => waits);
    const { secrets, invited } = await pipelined({
      secrets: () => Promise.all(waiting.map(({ id }) => scope.db.all(queries.recheckTokens, { team: scope.team, client: id }))),
      recorded: () =>
        pipelined(
          waiting.map(
            ({ id }) =>
              () =>
                recordAudit(scope, clientAwaits, id, { responsibleId: account, reason: why }),
          ),
        ),
      invited: () => Promise.all(waiting.map(({ id }) => endInvitationsBy(scope, id))),
    });
    scope.db.afterCommit(() => {
      for (const { id } of secrets.flat()) tokens.forget(id);
    });
    return [
      ...found.map(({ name, waits }) => ({ kind: 'client', name, now: waits ? 'waits' : 'goes on' }) as const),
      ...invited.flat().map((name) => ({ kind: 'invitation', name, now: 'ended' }) as const),
    ];
  };
}
