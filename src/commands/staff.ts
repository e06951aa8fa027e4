import process from 'node:process';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { withStaffAdministration } from './tools/staff.ts';
import { type Operator, UsageError } from './operator.ts';

export const usage = `Usage: chancery staff create --email <address> --name <name> [--password-stdin]
       chancery staff list
       chancery staff enable|disable|reset-totp|password-link --email <address>

Looks after the accounts of those who run the service.
`;

const actions = ['create', 'list', 'enable', 'disable', 'reset-totp', 'password-link'];

/** Looks after staff accounts. The first is made here: there is no way to make one over HTTP. */
export async function run(args: string[], { env, stdin, stdout, stderr }: Operator = process): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { email: { type: 'string' }, name: { type: 'string' }, 'password-stdin': { type: 'boolean', default: false } },
  });
  const [action = ''] = positionals;
  const { email = '', name = '' } = values;
  if (positionals.length !== 1 || !actions.includes(action)) throw new UsageError(`Say what to do: ${actions.join(', ')}.`);
  if (action !== 'list' && email === '') throw new UsageError('Say whose account it is: --email <address>.');
  if (action === 'create' && name.trim() === '') throw new UsageError('Say what they are called: --name <name>.');
  const config = readConfig(env);
  // A line as it was typed: without its end, and otherwise untouched.
  const password = values['password-stdin'] ? (await text(stdin)).replace(/\r?\n$/, '') : undefined;
  return withStaffAdministration(config, createLogger('warn'), async (staff) => {
    const said = (line: string) => void stdout.write(`${line}\n`);
    const accountMissing = () => {
      stderr.write(`There is no staff account ${email} for which this can be done. See \`staff list\`.\n`);
      return 1;
    };
    switch (action) {
      case 'create': {
        const made = await staff.create({ email, name, ...(password === undefined ? {} : { password }) });
        if (!made) {
          stderr.write(`There is a staff account ${email} already.\n`);
          return 1;
        }
        said(
          made.link === undefined
            ? `Made the staff account ${email}.`
            : `Made the staff account ${email}. Set its password within a day:\n${made.link}`,
        );
        return 0;
      }
      case 'list':
        for (const { email: address, name: called, isActive, totpEnabled, lastLoginAt } of await staff.list())
          said(
            [address, called, isActive ? 'active' : 'inactive', totpEnabled ? 'totp' : 'no totp', lastLoginAt ?? 'never signed in'].join(
              '\t',
            ),
          );
        return 0;
      case 'reset-totp':
        if (!(await staff.resetTotp(email))) return accountMissing();
        said(`The second factor of ${email} is off, and every session ended.`);
        return 0;
      case 'password-link': {
        const link = await staff.passwordLink(email);
        if (link === undefined) return accountMissing();
        said(`Set the password of ${email} within a day:\n${link}`);
        return 0;
      }
      default:
        if (!(await staff.setActive(email, action === 'enable'))) return accountMissing();
        said(action === 'enable' ? `${email} is active.` : `${email} is inactive, and every session ended.`);
        return 0;
    }
  });
}
