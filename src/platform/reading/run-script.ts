import process from 'node:process';
import { answer, type Work } from './answer.ts';

/** The process that runs a sandboxed script from its source. The first argument is the script. */
const { work } = (await import(process.argv[2] ?? '')) as { work: Work };
await answer(work);
