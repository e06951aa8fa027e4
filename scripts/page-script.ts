import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';

const imported = /^import\s*\{([^}]*)\}\s*from\s*'(\.[^']+)';$/gm;
const passedOn = /^export\s*\{([^}]*)\}\s*from\s*'(\.[^']+)';$/gm;
const exported = /^export ((?:async )?function|const|class) (\w+)/gm;

type Module = { file: string; uses: string[]; text: string };

/** Lists a module and its imports. Each module follows the modules that it imports. */
function gather(file: string, met = new Map<string, Module>()): Module[] {
  if (met.has(file)) return [];
  const text = file.endsWith('.ts') ? stripTypeScriptTypes(readFileSync(file, 'utf8')) : readFileSync(file, 'utf8');
  const uses = [...text.matchAll(imported), ...text.matchAll(passedOn)].map(([, , from = '']) => posix.join(posix.dirname(file), from));
  const module = { file, uses, text };
  met.set(file, module);
  return [...uses.flatMap((used) => gather(used, met)), module];
}

/** Converts the names of an import or export to names of an object pattern: `a as b` becomes `a: b`. */
const members = (names: string) =>
  names
    .split(',')
    .map((name) => name.trim().replace(/\s+as\s+/, ': '))
    .filter((name) => name !== '');

/** Converts a module to a function that returns its exports, so that the names of modules do not collide. */
function asFunction({ file, text }: Module, nameOf: (file: string) => string): string {
  const gives: string[] = [];
  const at = (from: string) => nameOf(posix.join(posix.dirname(file), from));
  const body = text
    .replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\n?/gm, '')
    .replaceAll(/^\s*\/\/.*\n/gm, '')
    .replaceAll(imported, (_, names: string, from: string) =>
      members(names).length > 0 ? `const { ${members(names).join(', ')} } = ${at(from)};` : '',
    )
    .replaceAll(passedOn, (_, names: string, from: string) => {
      gives.push(...members(names).map((name) => `${name.split(': ').at(-1)}: ${at(from)}.${name.split(': ')[0]}`));
      return '';
    })
    .replaceAll(exported, (_, kind: string, name: string) => {
      gives.push(name);
      return `${kind} ${name}`;
    });
  const rest = /^(?:import|export)\b.*$/m.exec(body);
  if (rest) throw new Error(`${file}: the script of public pages does not support this statement: ${rest[0]}`);
  return `const ${nameOf(file)} = (() => {\n${body}\nreturn { ${gives.join(', ')} };\n})();\n`;
}

/** Generates the script of public pages as one module, from JavaScript files and shared server modules without their types. */
export function pageScript(entry: string): string {
  const modules = gather(entry);
  const names = new Map(modules.map(({ file }, place) => [file, `module${place}`]));
  const nameOf = (file: string) => names.get(file) ?? '';
  const text = `// Written by \`npm run generate\` from ${entry}.\n${modules.map((module) => asFunction(module, nameOf)).join('')}`;
  return execFileSync('node_modules/.bin/oxfmt', ['--stdin-filepath=plain.js'], { input: text, encoding: 'utf8' });
}
