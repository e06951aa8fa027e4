import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { withoutBrowser } from '../../test/browser.ts';
import { type Registered, registered } from '../../test/people.ts';
import { signatures } from '../../test/signatures.ts';
import { desktop, fits, keep, phone } from '../../test/visits.ts';
import { useConsole } from './console.ts';

describe('the document templates of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();

  const requestsOf = async ({ token }: Registered) => {
    const [listed] = (await chancery().call('GET', `${signatures}/`, { token })).body;
    return (await chancery().call('GET', `${signatures}/${listed.id}`, { token })).body;
  };

  /** The required values of the agreement, in the order of the form. */
  const values: [label: string, text: string][] = [
    ['Date', '9 March 2026'],
    ['Purpose', 'Talks about a joint service'],
    ['Months', '24'],
    ['Survival years', '5'],
    ['Law', 'the Federal Republic of Germany'],
  ];
  const parties = { Disclosing: 'Northwind Legal GmbH', Receiving: 'Acme Robotics GmbH' };

  async function fill(page: Page): Promise<void> {
    for (const [label, text] of values) await page.getByRole('textbox', { name: label, exact: true }).fill(text);
    for (const [group, name] of Object.entries(parties)) {
      const party = page.getByRole('group', { name: group });
      await party.getByRole('textbox', { name: 'Name' }).first().fill(name);
      await party.getByRole('textbox', { name: 'Address' }).fill('Lindenstraße 12, Berlin');
      await party.getByRole('textbox', { name: 'Name' }).last().fill(`Signatory of ${name}`);
    }
  }

  test('an agreement of the library is filled and sent to two signers in turn in six clicks', async () => {
    const person = await registered(chancery());
    const page = await as(person, '/app', { viewport: desktop });
    let clicks = 0;
    const click = async (what: Locator) => {
      await what.click();
      clicks += 1;
    };
    await click(page.getByRole('link', { name: 'Templates' }));
    await page.getByRole('link', { name: 'Non-disclosure agreement' }).waitFor();
    await keep(page, 'templates');
    await click(page.getByRole('link', { name: 'Non-disclosure agreement' }));
    await fill(page);
    await keep(page, 'template-form');
    await click(page.getByRole('button', { name: 'Next: ask for signatures' }));
    await click(page.getByRole('button', { name: /^Add Ada Lovelace/ }));
    await page.getByLabel('Add a signer').fill(`Vera Visitor vera.${person.id}@example.org`);
    await click(page.getByRole('button', { name: /^Add Vera Visitor/ }));
    await page.getByRole('img', { name: 'Signature for Vera Visitor, placed by the template' }).waitFor();
    await keep(page, 'template-fields');
    await click(page.getByRole('button', { name: 'Send', exact: true }));
    await page
      .getByText(/^Sent to/)
      .first()
      .waitFor();
    assert.equal(clicks, 6);
    const request = await requestsOf(person);
    assert.deepEqual(
      request.signers.map(({ name, order }: any) => [name, order]),
      [
        ['Ada Lovelace', 1],
        ['Vera Visitor', 2],
      ],
    );
    const places = request.fields.filter(({ kind }: any) => kind === 'signature');
    assert.deepEqual(
      places.map(({ signerId }: any) => signerId),
      request.signers.map(({ id }: any) => id),
      'the template places a signature for each',
    );
  });

  test('the keyboard alone fills an agreement and sends it to two signers, on a phone', async () => {
    const person = await registered(chancery());
    const page = await as(person, '/app/templates', { viewport: phone });
    await page.getByRole('link', { name: 'Non-disclosure agreement' }).waitFor();
    const tabTo = async (condition: string) => {
      for (let step = 0; step < 80; step += 1) {
        if (await page.evaluate<boolean>(`((active) => ${condition})(document.activeElement)`)) return;
        await page.keyboard.press('Tab');
      }
      assert.fail(`the keyboard does not reach ${condition}`);
    };
    await tabTo("active.textContent === 'Non-disclosure agreement'");
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Title of the document' }).waitFor();
    const empty = "active.matches('input[required]:not([type=checkbox]), textarea[required]') && active.value === ''";
    for (let left = await page.locator('input[required], textarea[required]').count(); left > 1; left -= 1) {
      await tabTo(empty);
      const isNumber = await page.evaluate<boolean>("['numeric', 'decimal'].includes(document.activeElement.inputMode)");
      await page.keyboard.type(isNumber ? '12' : 'Text');
    }
    await tabTo("active.textContent === 'Next: ask for signatures'");
    await page.keyboard.press('Enter');
    for (const name of ['Vera Visitor', 'Max Member']) {
      await page.getByLabel('Add a signer').waitFor();
      await tabTo("active.labels?.[0]?.textContent === 'Add a signer'");
      await page.keyboard.type(`${name} ${name.replace(' ', '.').toLowerCase()}.${person.id}@example.org`);
      await page.getByRole('button', { name: `Add ${name}` }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
    }
    await tabTo("active.textContent === 'Next'");
    await page.keyboard.press('Enter');
    await page.getByText('4 fields are placed.').waitFor();
    await tabTo("active.textContent === 'Next'");
    await page.keyboard.press('Enter');
    await tabTo("active.textContent === 'Send'");
    await page.keyboard.press('Enter');
    await page
      .getByText(/^Sent to/)
      .first()
      .waitFor();
    assert.deepEqual(
      (await requestsOf(person)).signers.map(({ name, order }: any) => [name, order]),
      [
        ['Vera Visitor', 1],
        ['Max Member', 2],
      ],
    );
  });

  test('the list and the form fit and are accessible', async () => {
    const person = await registered(chancery());
    const page = await as(person, '/app/templates', { viewport: desktop });
    await page.getByRole('link', { name: 'Non-disclosure agreement' }).waitFor();
    await fits(page, 'templates');
    await page.setViewportSize(desktop);
    await page.getByRole('link', { name: 'Non-disclosure agreement' }).click();
    await page.getByRole('textbox', { name: 'Date', exact: true }).waitFor();
    await fits(page, 'template-form');
  });
});
