import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { withoutBrowser } from '../../test/browser.ts';
import { desktop, fits, keep } from '../../test/visits.ts';
import { eventually } from '../../test/webhook-receiver.ts';
import { narrow, useConsole } from './console.ts';
import { settingsPeople } from './settings-people.ts';

/** A PNG file of one colour. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const rows = Buffer.concat(Array.from({ length: height }, () => Buffer.from([0, ...Array.from({ length: width * 3 }, () => 120)])));
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('the team page of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();
  const { get, joined, newOwner, open } = settingsPeople(chancery, as);

  test('the name, time zone and rules of the team are changed', async () => {
    const ada = await newOwner();
    const page = await open(ada, '/app/settings/team', { viewport: desktop });
    const team = page.getByRole('region', { name: 'Team', exact: true });
    await team.getByLabel('Name of the team').fill('Harbour Legal');
    await team.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await team.getByRole('switch', { name: 'Two people decide' }).check();
    await team.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    const { name, timezone, fourEyes } = await get(ada, '/api/v1/team');
    assert.deepEqual({ name, timezone, fourEyes }, { name: 'Harbour Legal', timezone: 'Asia/Tokyo', fourEyes: true });
  });

  test('the working time gets days, hours, holidays and free days', async () => {
    const ada = await newOwner();
    const page = await open(ada, '/app/settings/team', { viewport: desktop });
    const time = page.getByRole('region', { name: 'Working time' });
    await time.getByRole('checkbox', { name: 'Friday' }).uncheck();
    await time.getByLabel(/^To\b/).fill('16:30');
    await time.getByRole('combobox', { name: 'Public holidays of' }).selectOption('DE');
    await time.getByLabel('Part of the country').fill('be');
    await time.getByLabel('Free day', { exact: true }).fill('2027-12-24');
    await time.getByRole('button', { name: 'Add the day' }).click();
    await time.getByRole('button', { name: 'Save' }).click();
    await time.getByText('Next public holidays').waitFor();
    const { days, opens, closes, holidays, free } = await get(ada, '/api/v1/team/working-time');
    assert.deepEqual(
      { days, opens, closes, holidays, free },
      {
        days: ['mon', 'tue', 'wed', 'thu'],
        opens: '09:00',
        closes: '16:30',
        holidays: { country: 'DE', state: 'BE' },
        free: ['2027-12-24'],
      },
    );
    await time.getByRole('button', { name: /^Remove .*24 December 2027/ }).click();
    await time.getByRole('button', { name: 'Save' }).click();
    await eventually(
      'a working time without free days',
      async () => (await get(ada, '/api/v1/team/working-time')).free.length === 0 || undefined,
    );
    await time.getByRole('listitem').waitFor({ state: 'detached' });
  });

  test('the branding is previewed before it is saved, and a large logo is refused', async () => {
    const ada = await newOwner();
    const page = await open(ada, '/app/settings/team', { viewport: desktop });
    const branding = page.getByRole('region', { name: 'Branding' });
    const preview = branding.getByRole('group', { name: 'Preview' });
    await branding.getByLabel('Name on pages').fill('Harbour & Partners');
    await preview.getByText('Harbour & Partners').first().waitFor();
    await branding.getByLabel('Colour', { exact: true }).fill('#8c2f39');
    await branding.locator('input[type="file"]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(300_000) });
    await branding.getByText('The file is larger than 256 KiB.').waitFor();
    await branding.locator('input[type="file"]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png(80, 30) });
    await preview.locator('img').first().waitFor();
    await keep(page, 'settings-branding');
    await branding.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    const { name, colour, logoUrl } = await get(ada, '/api/v1/team/branding');
    assert.deepEqual({ name, colour, hasLogo: typeof logoUrl }, { name: 'Harbour & Partners', colour: '#8c2f39', hasLogo: 'string' });
    assert.ok(
      await preview
        .locator('img')
        .first()
        .evaluate<boolean, any>((image) => image.decode().then(() => image.naturalWidth === 80)),
    );
    await branding.getByRole('button', { name: 'Remove the logo' }).click();
    await branding.getByRole('button', { name: 'Save' }).click();
    await eventually('a branding without a logo', async () => !('logoUrl' in (await get(ada, '/api/v1/team/branding'))) || undefined);
    assert.equal(await preview.locator('img').count(), 0);
  });

  test('the owner sets the rules for sign-ins and guests', async () => {
    const ada = await newOwner();
    const page = await open(ada, '/app/settings/team', { viewport: desktop });
    const policy = page.getByRole('region', { name: 'Sign-in and guests' });
    await policy.getByLabel('Hours until a new confirmation of the sign-in').fill('12');
    await policy.getByLabel('Longest access of a guest, in days').fill('30');
    await policy.getByLabel('Domains of guests').fill('client.example');
    await page.keyboard.press('Enter');
    await policy.getByRole('switch', { name: 'Members invite guests' }).check();
    await policy.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    assert.deepEqual(await get(ada, '/api/v1/team/policy'), {
      secondFactor: false,
      sessionHours: 12,
      guestDaysMax: 30,
      guestDomains: ['client.example'],
      membersMaySponsor: true,
    });
    // The owner has no second factor, and would be locked out.
    await policy.getByRole('switch', { name: 'A second factor is required' }).check();
    await policy.getByRole('button', { name: 'Save' }).click();
    await policy.getByRole('alert').waitFor();
  });

  test('the page shows the limits, fits each screen, and is read only for a member', async () => {
    const ada = await newOwner();
    const max = await joined(ada, 'Max', 'Member');
    const page = await open(ada, '/app/settings/team', { viewport: desktop });
    const usage = page.getByRole('region', { name: 'Usage and limits' });
    await usage.getByRole('row', { name: /Documents, with those in the bin 0 / }).waitFor();
    const { quotas } = await get(ada, '/api/v1/team/usage');
    assert.equal(await usage.getByRole('row').count(), quotas.length + 1);
    await fits(page, 'settings-team');
    await narrow(page, 'settings-team');
    const read = await open(max, '/app/settings/team', { viewport: desktop });
    await read.getByLabel('Name of the team').waitFor();
    assert.ok(await read.getByLabel('Name of the team').isDisabled());
    assert.equal(await read.getByRole('button', { name: 'Save' }).count(), 0);
    await keep(read, 'settings-team-without-right');
  });
});
