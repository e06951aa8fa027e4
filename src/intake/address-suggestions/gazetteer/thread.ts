import { parentPort } from 'node:worker_threads';
import { citiesTable } from './cities.ts';

const bytes = new TextEncoder().encode(citiesTable());
parentPort?.postMessage(bytes, [bytes.buffer]);
