import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import type { Answered, Reading } from './messages.ts';
import { officeText } from './office.ts';
import { pdfText } from './pdf.ts';

/** The process that reads one file: what it is by its arguments, its bytes by standard input, its text by standard output. */
const asked = JSON.parse(process.argv[2] ?? '') as Reading;
const bytes = await buffer(process.stdin);
const answered: Answered = await (asked.kind === 'pdf' ? pdfText : officeText)(bytes, asked.characters);
process.stdout.write(JSON.stringify(answered));
