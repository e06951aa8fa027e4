import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from '../../test/browser.ts';
import { type Registered, registered } from '../../test/people.ts';
import { withoutPdfTools } from '../../test/pdf.ts';
import { plainPdf } from '../../test/plain-pdf.ts';
import { append } from '../../test/signed-pdf.ts';
import { byQpdf } from '../../test/uploads.ts';
import { eventually } from '../../test/webhook-receiver.ts';
import { keep, phone, pressUntil } from '../../test/visits.ts';
import { useConsole } from './console.ts';

const letter = (more: string, objects: Readonly<Record<number, string>> = {}) =>
  append(plainPdf(['Dear Ada Lovelace']), { 1: `<</Type/Catalog/Pages 2 0 R${more}>>`, ...objects });

/** A file with a script at its start, a page action, and a link over the whole page. */
const active = () =>
  letter('/OpenAction<</S/JavaScript/JS(app.alert\\("1"\\); parent.hacked = 1;)>>', {
    4: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>/Annots[20 0 R]/AA<</O<</S/JavaScript/JS(app.alert\\(2\\))>>>>>>',
    20: '<</Type/Annot/Subtype/Link/Rect[0 0 612 792]/A<</S/URI/URI(https://example.org/)>>>>',
  });

/** A page that draws 10^12 rectangles: each form draws the next one ten times. */
const endless = () => {
  const form = (n: number) => {
    const content = n === 31 ? '0 0 9 9 re f' : `/X${n + 1} Do `.repeat(10);
    const next = n === 31 ? '' : `/Resources<</XObject<</X${n + 1} ${n + 1} 0 R>>>>`;
    return `<</Type/XObject/Subtype/Form/BBox[0 0 9 9]${next}/Length ${content.length}>>\nstream\n${content}\nendstream`;
  };
  return letter('', {
    4: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 6 0 R/Resources<</XObject<</X20 20 0 R>>>>>>',
    6: '<</Length 8>>\nstream\n/X20 Do \nendstream',
    ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [20 + at, form(20 + at)])),
  });
};

describe('the PDF viewer of the console', { skip: withoutBrowser }, () => {
  const { chancery, as } = useConsole();
  const upload = async (ada: Registered, file: Uint8Array): Promise<string> => {
    const form = new FormData();
    form.set('title', 'Letter');
    form.set('file', new Blob([new Uint8Array(file)], { type: 'application/pdf' }), 'letter.pdf');
    const { status, body, text } = await chancery().call('POST', '/api/v1/smartdoc/documents/', { token: ada.token, body: form });
    assert.equal(status, 201, text);
    return `/app/documents/${body.id}`;
  };
  // A browser renews the session of its person, so each one has another person.
  const open = async (file: Uint8Array, options: Parameters<typeof as>[2] = {}) => {
    const ada = await registered(chancery());
    return as(ada, await upload(ada, file), options);
  };
  const drawn = (page: Page, number: number) => page.locator(`[data-page="${number}"] canvas[data-drawn]`).waitFor();
  /** The share of dark pixels, in percent. */
  const ink = (page: Page) =>
    page.evaluate<number>(`(() => {
      const drawn = document.querySelector('[data-page="1"] canvas');
      const copy = new OffscreenCanvas(drawn.width, drawn.height);
      const context = copy.getContext('2d');
      context.drawImage(drawn, 0, 0);
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      let dark = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at] < 128) dark += 1;
      return (dark / (data.length / 4)) * 100;
    })()`);

  test('a page is drawn with fonts that the file does not contain, and its text is selectable', async () => {
    const page = await open(plainPdf(['Dear Ada Lovelace', 'The second page']));
    await drawn(page, 1);
    assert.ok((await ink(page)) > 0.005, 'letters are drawn');
    const text = page.getByText('Dear Ada Lovelace');
    const [run, sheet] = await Promise.all([text.boundingBox(), page.locator('[data-page="1"]').boundingBox()]);
    assert.ok(run && sheet);
    // The text begins 72 points from the left of 612, and its base line is 92 points from the top of 792.
    assert.ok(Math.abs((run.x - sheet.x) / sheet.width - 72 / 612) < 0.01);
    assert.ok(Math.abs((run.y + run.height * 0.8 - sheet.y) / sheet.height - 92 / 792) < 0.01);
    await text.selectText();
    assert.equal(await page.evaluate('getSelection().toString()'), 'Dear Ada Lovelace');
    await keep(page, 'pdf');
  });

  test('scripts and links of a file do nothing, and its frame has no origin', async () => {
    const page = await open(active());
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await drawn(page, 1);
    const frame = page.frames().find((one) => one.url().endsWith('/pdf-renderer.html'));
    assert.equal(await frame?.evaluate('self.origin'), 'null');
    assert.equal(await page.evaluate('typeof hacked'), 'undefined');
    await page.locator('[data-page="1"]').click();
    assert.equal(page.context().pages().length, 1);
    assert.equal(await page.locator('[data-page="1"] a').count(), 0);
    assert.deepEqual(
      requests.filter((url) => new URL(url).origin !== new URL(page.url()).origin && !url.startsWith('blob:')),
      [],
    );
  });

  test('at most eight pages of a long file have a canvas', async () => {
    const page = await open(plainPdf(Array.from({ length: 60 }, (_, at) => `Page ${at + 1} of many`)), { viewport: phone });
    for (const number of [1, 20, 40, 60]) {
      await page.getByLabel('Go to page').fill(String(number));
      await page.keyboard.press('Enter');
      await drawn(page, number);
      assert.ok((await page.locator('canvas').count()) <= 8);
    }
    await keep(page, 'pdf-phone');
    const scroll = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    assert.equal(scroll, 0);
  });

  test('a text is found on another page, by keyboard alone', async () => {
    const page = await open(plainPdf(['One', 'Two', 'Three', 'The needle in the haystack']));
    await drawn(page, 1);
    await pressUntil(page, 'input[type="search"]');
    await page.keyboard.type('NEEDLE');
    await page.getByText('1 of 1').waitFor();
    await drawn(page, 4);
    await page.locator('[data-page="4"] [data-marked]').getByText('The needle').waitFor();
  });

  test('a zoomed page is drawn again with more pixels', async () => {
    const page = await open(plainPdf(['Small print']));
    await drawn(page, 1);
    const width = () => page.evaluate<number>(`document.querySelector('[data-page="1"] canvas').width`);
    const before = await width();
    await page.getByRole('region', { name: 'Pages of the document' }).focus();
    await page.keyboard.press('+');
    await eventually('the page has more pixels', async () => (await width()) > before);
  });

  test('a damaged file has a message and a download', async () => {
    const page = await open(Buffer.from('%PDF-1.7\nnothing of a PDF follows'));
    await page.getByText('This file cannot be shown').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the file' }).click();
    assert.equal((await download).suggestedFilename(), 'letter.pdf');
  });

  test('a file with a password has a message', { skip: withoutPdfTools }, async () => {
    const page = await open(byQpdf(plainPdf(['Secret']), '--encrypt', 'user', 'owner', '256', '--'));
    await page.getByText('This file has a password').waitFor();
  });

  test('a page that takes more than 20 seconds ends the frame', async () => {
    const ada = await registered(chancery());
    const path = await upload(ada, endless());
    const page = await as(ada, '/app/documents');
    await page.clock.install();
    await page.goto(path);
    await page.locator('[data-page="1"] canvas').waitFor({ state: 'attached' });
    await page.clock.fastForward(20_000);
    await page.getByText('This file takes too long').waitFor();
    assert.equal(page.frames().length, 1, 'the frame is gone');
  });
});
