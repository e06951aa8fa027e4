import process from 'node:process';
import { answer, type Work } from './answer.ts';

/** The process that runs a confined script from its source: which one by its first argument. */
const { work } = (await import(process.argv[2] ?? '')) as { work: Work };
await answer(work);
