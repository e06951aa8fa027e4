import { describe, test } from 'node:test';
import { withoutBrowser } from '../../test/browser.ts';
import { registered } from '../../test/people.ts';
import { desktop, fits } from '../../test/visits.ts';
import { useConsole } from './console.ts';

describe('the document templates of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();

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
