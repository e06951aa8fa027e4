import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { withoutBrowser } from '../../../../../test/browser.ts';
import { everyField, formDocument, startPreview } from '../../../../../test/form-pages.ts';
import { fits, useBrowser } from '../../../../../test/visits.ts';
import { eventually } from '../../../../../test/webhook-receiver.ts';
import type { Field } from '../../../fields/index.ts';

/** A text that runs a script if it is inserted as markup. */
const hostile = `"'><img src=x onerror="document.title='taken'"><script>document.title='taken'</script><svg/onload=alert(1)>{{7*7}}\${1}`;

/** All texts of all fields are hostile. */
const hostileFields: Field[] = everyField.map((field) => ({
  ...field,
  ...(field.type === 'hidden' ? {} : { label: `${hostile} ${field.id}`, help: hostile, placeholder: hostile }),
  ...(field.options ? { options: field.options.map(({ id }) => ({ id, label: hostile })) } : {}),
  page: 1,
}));

describe('a form in a browser', { skip: withoutBrowser }, () => {
  let preview: Awaited<ReturnType<typeof startPreview>>;
  const visit = useBrowser(() => preview.url);
  before(async () => {
    preview = await startPreview({
      '/first': () => formDocument({ fresh: true }),
      '/second': () => formDocument({ step: 2 }),
      '/wrong': () => formDocument({ showErrors: true, values: { name: 'Ada', email: 'ada@', matter: 'c' } }),
      '/arabic': () => formDocument({ locale: 'ar', showErrors: true, values: { matter: 'a', phone: '+971 4 123' } }),
      '/german': () => formDocument({ locale: 'de', step: 2, values: { share: 12.5 } }),
      '/japanese': () => formDocument({ locale: 'ja' }),
      '/hostile': () =>
        formDocument({
          fields: hostileFields,
          title: hostile,
          description: hostile,
          brand: { name: hostile, colour: '#fee' },
          showErrors: true,
          values: Object.fromEntries(hostileFields.map(({ id }) => [id, hostile])),
        }),
    });
  });
  after(() => preview.stop());

  for (const name of ['first', 'second', 'wrong', 'arabic', 'german', 'japanese', 'hostile'])
    test(`every type of field fits a phone and a desktop, light and dark: ${name}`, async () =>
      fits(await visit(`/${name}`), `form-${name}`));

  test('no text of a form, an answer or an error runs as a script', async () => {
    const page = await visit('/hostile');
    assert.notEqual(await page.title(), 'taken');
    assert.equal(await page.locator('img, script:not([src]):not([type="application/json"])').count(), 0);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor();
    assert.notEqual(await page.title(), 'taken', 'labels that the script inserts do not run either');
  });

  test('a conditional question appears and disappears with the answer', async () => {
    const page = await visit('/first');
    const question = page.getByLabel('What happened?');
    assert.equal(await question.isVisible(), false);
    await page.getByLabel('Something else').check();
    await question.waitFor();
    await page.getByLabel('A contract that I signed').check();
    await question.waitFor({ state: 'hidden' });
  });

  test('errors are shown above the form, which gets the focus, and beside each field; links lead to the fields; valid answers clear errors', async () => {
    const page = await visit('/first');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'summary');
    const email = page.getByLabel('E-mail address');
    assert.equal(await email.getAttribute('aria-invalid'), 'true');
    const described = ((await email.getAttribute('aria-describedby')) ?? '').split(' ').map((id) => page.locator(`#${id}`).textContent());
    assert.match((await Promise.all(described)).join(' '), /two working days.*Error: Please answer this question\./s);
    await page.getByRole('alert').getByRole('link', { name: 'E-mail address' }).click();
    assert.equal(await page.evaluate('document.activeElement.name'), 'email');
    await page.keyboard.type('ada@');
    assert.equal(await email.getAttribute('aria-invalid'), 'true', 'not shown during typing');
    await page.keyboard.type('example.org');
    await page.locator('#f-email-fault').waitFor({ state: 'hidden' });
    assert.equal(await email.getAttribute('aria-invalid'), null);
  });

  test('steps can be changed by keyboard alone, and announce the progress', async () => {
    const page = await visit('/first');
    await page.getByLabel('Full name', { exact: true }).fill('Ada Lovelace');
    await page.getByLabel('E-mail address').fill('ada@example.org');
    await page.getByLabel('Date of birth').fill('1985-12-10');
    await page.getByLabel('A contract that I signed').focus();
    await page.keyboard.press('Space');
    await page.getByLabel('Yes').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByText('Step 2 of 2').waitFor();
    assert.equal(await page.getByLabel('Full name', { exact: true }).isVisible(), false);
    assert.match(await page.evaluate('document.activeElement.textContent'), /Step 2 of 2/);
    await page.getByRole('button', { name: 'Back' }).press('Enter');
    await page.getByText('Step 1 of 2').waitFor();
    assert.equal(await page.getByLabel('Full name', { exact: true }).inputValue(), 'Ada Lovelace');
  });

  test('answers survive a reload of the tab, except consents and signatures; other tabs do not have them; they can be cleared', async () => {
    const page = await visit('/first');
    await page.getByLabel('Full name', { exact: true }).fill('Ada Lovelace');
    await page.getByLabel('Something else').check();
    await page.getByLabel('What happened?').fill('Much.');
    for (const name of ['agree', 'sign.name']) {
      await page.locator(`[name="${name}"]`).evaluate((control: any) => {
        Object.assign(control, { checked: true, ...(control.type === 'text' ? { value: 'Ada Lovelace' } : {}) });
        control.dispatchEvent(new Event('input', { bubbles: true }));
      });
    }
    await eventually('answers are stored', () => page.evaluate(`Object.values(sessionStorage).some((kept) => kept.includes('Much.'))`));
    await page.reload();
    await page.getByRole('status').filter({ hasText: 'We restored your earlier answers' }).waitFor();
    assert.equal(await page.getByLabel('Full name', { exact: true }).inputValue(), 'Ada Lovelace');
    assert.equal(await page.getByLabel('What happened?').inputValue(), 'Much.');
    assert.equal(await page.locator('[name=agree]').isChecked(), false);
    assert.equal(await page.locator('[name="sign.name"]').inputValue(), '');
    const other = await page.context().newPage();
    await other.goto('/first');
    assert.equal(await other.getByLabel('Full name', { exact: true }).inputValue(), '');
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByRole('status').filter({ hasText: 'We restored your earlier answers' }).waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Full name', { exact: true }).inputValue(), '');
  });

  test('without a script the same form works, with a button for each function', async () => {
    const page = await visit('/first', { javaScriptEnabled: false });
    assert.equal(await page.getByRole('button', { name: 'Continue' }).isVisible(), true);
    assert.equal(await page.locator('[data-step="2"]').isVisible(), false);
    assert.equal(await page.getByRole('group', { name: 'Language' }).count(), 0);
  });
});
