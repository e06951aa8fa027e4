import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';

/** Returns the path of a program that `go install` builds: `override`, or the first one in `PATH` or `~/go/bin`. */
export function goTool(name: string, override: string | undefined): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), join(homedir(), 'go/bin')];
  return [override, ...folders.map((folder) => join(folder, name))].find((path) => path !== undefined && existsSync(path));
}
