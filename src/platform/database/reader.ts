import type { RunQuery } from './attempt.ts';
import { statementName } from './statement.ts';
import type { Reader, Transaction } from './transaction.ts';

/** Prevents that a rejection before its `await` ends the process. The caller gets the error at the `await`. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Returns a reader that runs its statements with `run`. */
export function readerOn(run: RunQuery): Reader {
  const sent = async (name: string, text: string, values: () => unknown[]) => (await run({ name, text, values: values() })).rows;
  // If several results are pending, one is awaited first, and the others fail with it.
  const all: Reader['all'] = (statement, params) => quiet(sent(statement.name, statement.text, () => statement.values(params)));
  return {
    all,
    first: (statement, params) => quiet(all(statement, params).then((rows) => rows[0])),
    query: (query) => {
      const compiled = query.compile();
      return quiet(sent(statementName(compiled.sql), compiled.sql, () => [...compiled.parameters]));
    },
  };
}

/** Returns the statements of a transaction: those of a reader, statements under a lock, and statements without rows. */
export function statementsOn(run: RunQuery): Pick<Transaction, keyof Reader | 'locked' | 'send'> {
  const reader = readerOn(run);
  return {
    ...reader,
    locked: async (lock, params, guarded) => {
      const locking = reader.all(lock, params);
      const found = quiet(guarded());
      await locking;
      return found;
    },
    send: (statement, params) => void quiet(run({ name: statement.name, text: statement.text, values: statement.values(params) })),
  };
}
