import type { Database } from '../../platform/database/database.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { dropSpent } from './queries.ts';
import { dropRequests, dropResponses } from './saml/index.ts';

/** Deletes used states, open requests and received responses whose sign-ins have expired. */
export async function dropSpentStates(database: Database): Promise<void> {
  await database.asSystem('delete expired states of single sign-on', (tx) =>
    pipelined([() => tx.all(dropSpent, {}), () => tx.all(dropRequests, {}), () => tx.all(dropResponses, {})]),
  );
}
