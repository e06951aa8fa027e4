import type { Database } from '../../../platform/database/database.ts';
import type { NoteName, NoteStore } from '../../../platform/storage/storage.ts';
import { parseCheckpoint } from '../tree/checkpoint.ts';
import type { Verifier } from '../tree/note.ts';
import { parseKnown } from './known-checkpoints.ts';
import { type JournalVerdict, verifyJournal } from './verify-jobs.ts';

const noteName: NoteName = 'audit-checkpoints.json';

const advice = `If you restored the database from a backup, remove the note ${noteName} from the file storage and verify again.`;

/**
 * Verifies the journal, also against the note of the last successful verification in the file storage, and replaces that note. If the database is in
 * an older state, the note stays. `noted` is the tree size in the note.
 */
export async function verifyAgainstNote(
  database: Database,
  keys: (origin: string) => Verifier[],
  notes: NoteStore,
): Promise<JournalVerdict & { noted?: number }> {
  const text = await notes.readNote(noteName);
  const known = text === undefined ? undefined : parseKnown(text);
  if (text !== undefined && !known)
    return {
      ok: false,
      error: { kind: 'checkpoint', message: `the note ${noteName} in the file storage cannot be read. Restore it from a backup.` },
    };
  const verdict = await verifyJournal(database, keys, known);
  if (!verdict.ok) {
    const { error } = verdict;
    return error.kind === 'rolled_back' ? { ok: false, error: { ...error, message: `${error.message}. ${advice}` } } : verdict;
  }
  await notes.writeNote(noteName, JSON.stringify(verdict.known));
  const noted = known && parseCheckpoint(known.checkpoint)?.size;
  return { ...verdict, ...(noted === undefined ? {} : { noted }) };
}
