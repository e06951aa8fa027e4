import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { readPng, writePng } from './png.ts';
import type { Redrawing } from './messages.ts';

/** The process that makes a PNG anew from the pixels of one. It fails on what is none, or is too large. */
const { mostWidth, mostHeight } = JSON.parse(process.argv[2] ?? '') as Redrawing;
const png = readPng(await buffer(process.stdin), ({ width, height }) => width <= mostWidth && height <= mostHeight);
process.stdout.write(writePng(png));
