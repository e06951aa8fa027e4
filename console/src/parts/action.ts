import { useState } from 'react';
import { problemText } from '../problems/problem-text.ts';
import { currentLanguage } from '../texts/language.ts';
import { toast } from './toasts.tsx';

/** The state of a request that a person starts. */
export type Action = { isBusy: boolean; error: unknown; run: (work: () => Promise<unknown>) => Promise<void> };

/** Runs a request, and holds its error until the next one. `ignore` selects errors without a message, such as a closed dialog. */
export function useAction(ignore: (error: unknown) => boolean = () => false, before?: unknown): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(before);
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      if (!ignore(failure)) setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}

/** Runs an action that has no place for its error, such as one of a row, and shows the error as a message. */
export async function orToast(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    toast(await problemText(error, currentLanguage()), { isError: true });
  }
}
