import assert from 'node:assert/strict';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { desktop, phone } from '../../test/visits.ts';

/** A way to use the console: the size of the screen, and a pointer or the keyboard. */
export type Way = { name: string; isPhone: boolean; byKeys: boolean; options: BrowserContextOptions };

/** All four ways: each screen with a pointer and by keyboard alone. The pointer of a phone is a finger. */
export const ways: readonly Way[] = [false, true].flatMap((isPhone) =>
  [false, true].map((byKeys) => ({
    name: `on a ${isPhone ? 'phone' : 'desktop'}, ${byKeys ? 'by keyboard alone' : isPhone ? 'by touch' : 'by mouse'}`,
    isPhone,
    byKeys,
    options: isPhone ? { viewport: phone, hasTouch: true } : { viewport: desktop },
  })),
);

const maxSteps = 150;

/** Moves the focus to an element with the keys that a person uses: arrows in menus, Tab elsewhere. */
export async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const key = (await target.getAttribute('role')) === 'menuitem' ? 'ArrowDown' : 'Tab';
  for (let step = 0; step < maxSteps; step += 1) {
    if ((await page.locator(':focus').and(target).count()) > 0) return;
    await page.keyboard.press(key);
  }
  assert.fail(`the keyboard does not reach ${String(target)}`);
}

/** The hands of a person who uses the console in one way. */
export class Hands {
  /** The clicks, the taps, and the keys that stand for one. */
  clicks = 0;
  readonly #page: Page;
  readonly #way: Way;

  constructor(page: Page, way: Way) {
    this.#page = page;
    this.#way = way;
  }

  /** Presses a button or a link, or checks a checkbox. */
  async press(target: Locator): Promise<void> {
    this.clicks += 1;
    await this.#press(target);
  }

  async #press(target: Locator): Promise<void> {
    if (this.#way.byKeys) {
      await reach(this.#page, target);
      await this.#page.keyboard.press((await target.getAttribute('type')) === 'checkbox' ? 'Space' : 'Enter');
    } else await (this.#way.isPhone ? target.tap() : target.click());
  }

  /** Enters a text. */
  async type(target: Locator, text: string): Promise<void> {
    if (!this.#way.byKeys) return target.fill(text);
    await reach(this.#page, target);
    return this.#page.keyboard.insertText(text);
  }

  /** Opens a page of the navigation. On a phone it can be under More, which is not counted. */
  async open(name: string): Promise<void> {
    const navigation = this.#page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'Inbox' }).waitFor();
    const link = navigation.getByRole('link', { name });
    if (await link.isVisible()) return this.press(link);
    await this.#press(this.#page.getByRole('button', { name: 'More' }));
    return this.press(this.#page.getByRole('menuitem', { name }));
  }
}
