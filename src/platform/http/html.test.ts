import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { anyText } from '../../../test/arbitraries.ts';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import { attributes, Html, html, isSafeLink, jsonBlock, linked } from './html.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const elementsOf = (node: Node): Element[] =>
  'childNodes' in node ? node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elementsOf(child)] : elementsOf(child))) : [];
const textOf = (node: Node): string =>
  'value' in node ? (node.value as string) : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
const shapeOf = (page: Html) => elementsOf(parse(page.markup)).map(({ tagName, attrs }) => [tagName, ...attrs.map(({ name }) => name)]);
const attributeOf = (element: Element | undefined, name: string) => element?.attrs.find((one) => one.name === name)?.value;

/** Returns the text after an HTML parser, independent of escaping (WHATWG HTML 13.2.3.5, 13.2.5.1). */
const asParsed = (text: string) => text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll('\0', '');

/** Text that is likely to break out of its context. */
const nasty = fc.oneof(
  anyText(),
  fc
    .array(
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '&',
        '`',
        '=',
        '/',
        '\\',
        '\n',
        '\r',
        '\t',
        '\0',
        ' ',
        '-->',
        '<!--',
        ']]>',
        '<![CDATA[',
        '<script>',
        '</script>',
        '</textarea>',
        '</title>',
        '</style>',
        'onload=',
        'javascript:',
        '&quot;',
        '&#39;',
        '&lt',
        'x',
      ),
      { maxLength: 12 },
    )
    .map((pieces) => pieces.join('')),
);

/** A page with a placeholder of each kind that accepts any text. */
const page = (text: string) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <title>${text}</title>
      </head>
      <body data-x="${text}" data-y="${text}-${text}">
        <p id="p" ${attributes({ 'data-z': text, hidden: true, lang: undefined })}>${text}</p>
        <textarea id="t">${text}</textarea><noscript><b>${text}</b></noscript>
        <ul>
          ${[text, text].map((each) => html`<li title="${each}">${each}</li>`)}
        </ul>
      </body>
    </html>`;

/** With quotes that the formatter would change. */
const singleQuoted = (text: string) => html(written("<p class='a' title='", "'>", '</p>'), text, text);

/** Creates a template from text that the formatter does not change. */
function written(...strings: string[]): TemplateStringsArray {
  return Object.assign(strings, { raw: strings });
}

describe('a template', () => {
  test('keeps its elements and texts with any text in any placeholder', () => {
    const shape = shapeOf(page('plain'));
    fc.assert(
      fc.property(nasty, (text) => {
        const quoted = parseFragment(singleQuoted(text).markup);
        assert.deepEqual([elementsOf(quoted).length, asParsed(textOf(quoted))], [1, asParsed(text)]);
        const made = page(text);
        assert.deepEqual(shapeOf(made), shape);
        const elements = elementsOf(parse(made.markup));
        const named = (name: string) => elements.find(({ tagName }) => tagName === name);
        const parsed = asParsed(text);
        assert.equal(asParsed(textOf(named('p') as Node)), parsed);
        assert.equal(asParsed(textOf(named('textarea') as Node)).replaceAll('\ufffd', ''), parsed.replaceAll('\ufffd', ''));
        for (const value of [attributeOf(named('body'), 'data-x'), attributeOf(named('p'), 'data-z'), attributeOf(named('li'), 'title')])
          assert.equal(asParsed(value ?? '').replaceAll('\ufffd', ''), parsed.replaceAll('\ufffd', ''));
      }),
      { numRuns: 500 },
    );
  });

  test('rejects URLs that run a script, in any spelling or composition', () => {
    const schemes = fc.constantFrom('javascript:', 'JaVaScRiPt:', 'data:text/html,', 'vbscript:', 'blob:', 'file:///');
    const gap = fc.string({ unit: fc.constantFrom('\t', '\n', '\r'), maxLength: 3 });
    const leading = fc.string({ unit: fc.constantFrom('\0', ' ', '\u001f', '\n'), maxLength: 3 });
    fc.assert(
      fc.property(schemes, gap, leading, fc.nat(10), (scheme, between, before, place) => {
        const address = `${before}${scheme.slice(0, place)}${between}${scheme.slice(place)}alert(1)`;
        const [first, second] = [address.slice(0, place), address.slice(place)];
        assert.throws(() => html`<a href="${address}">x</a>`);
        assert.throws(() => html`<a href="${first}${second}">x</a>`);
        assert.throws(() => html`<form action="${address}"></form>`);
        assert.throws(() => html`<p><a ${attributes({ href: address })}>x</a></p>`);
        assert.equal(isSafeLink(address), false);
      }),
    );
    for (const address of ['/f/x', 'x?y=a:b', '#at', 'https://example.org/', 'MAILTO:a@example.org', 'tel:+49', ''])
      assert.equal(attributeOf(elementsOf(parseFragment(html`<a href="${address}">x</a>`.markup))[0], 'href'), address);
  });

  test('loads from and sends to this service only', () => {
    for (const address of [
      'https://evil.example/x.js',
      '//evil.example/x.js',
      String.raw`/\evil.example`,
      ' \t//evil.example',
      'data:,x',
    ]) {
      assert.throws(() => html`<img src="${address}" />`, /is not allowed/);
      assert.throws(() => html`<script type="module" src="${address}"></script>`, /is not allowed/);
      assert.throws(() => html`<link rel="stylesheet" href="${address}" />`, /is not allowed/);
      assert.throws(() => html`<button formaction="${address}">x</button>`, /is not allowed/);
    }
    assert.equal(html`<img src="${''}${'/logo'}?v=${1}" />`.markup, '<img src="/logo?v=1" />');
  });

  test('with a placeholder in an unsafe position throws', () => {
    const x = 'x';
    // Written so that the formatter does not repair it.
    const refused: (() => Html)[] = [
      () => html(written('<p class=', '></p>'), x),
      () => html(written('<p class=a', '></p>'), x),
      () => html(written('<', '></p>'), x),
      () => html(written('<p', '></p>'), x),
      () => html(written('<p></', '>'), x),
      () => html(written('<p ', '="x"></p>'), x),
      () => html(written('<p da', '="x"></p>'), x),
      () => html`<p onclick="${x}"></p>`,
      () => html`<p ONCLICK="f(${x})"></p>`,
      () => html`<p style="color:${x}"></p>`,
      () => html`<iframe srcdoc="${x}"></iframe>`,
      () => html`<img srcset="${x}" />`,
      () => html`<svg><use xlink:href="${x}" /></svg>`,
      () => html`<meta http-equiv="${x}" />`,
      () => html(written('<script>', '</script>'), x),
      () => html(written('<script>let x = "', '"</script>'), x),
      () => html(written('<style>', '</style>'), x),
      () => html(written('<!-- ', ' -->'), x),
      () => html(written('<!doctype ', '>'), x),
      () => html`<base href="${x}" />`,
      () => html`<p ${attributes({ onclick: x })}></p>`,
      () => html`<p ${attributes({ style: x })}></p>`,
      () => html`<p ${attributes({ 'a b': x })}></p>`,
    ];
    for (const [place, make] of refused.entries()) assert.throws(make, /template: /, `template ${place}`);
  });

  test('that ends inside markup is rejected, so that later text never becomes part of it', () => {
    for (const text of [
      '<p',
      '<p class="',
      '<p class="a"',
      '<textarea>',
      '<script>',
      '<!-- ',
      '<',
      '</p',
      '<title>',
      '<p class="a"b>',
      '<p "a">',
    ])
      assert.throws(() => html(written(text)), /template: /, text);
  });

  test('accepts markup only between tags, and nothing that is neither text nor markup', () => {
    const bold = html`<b>x</b>`;
    assert.equal(html`<p>${bold}${[bold, [' & ', undefined, false, null, 1]]}</p>`.markup, '<p><b>x</b><b>x</b> &amp; 1</p>');
    assert.throws(() => html`<p title="${bold}"></p>`, /only text/);
    assert.throws(() => html`<textarea>${bold}</textarea>`, /only text/);
    assert.throws(() => html`<p ${'hidden'}></p>`, /must come from attributes/);
    assert.throws(() => html`<p>${{ toString: () => '<b>' } as never}</p>`, /only text/);
    assert.throws(() => html`<p>${{ markup: '<script>' } as never}</p>`, /only text/, 'markup is identified by its class');
  });

  test('is parsed once for all values', () => {
    const made = (text: string) => html`<p>${text}</p>`;
    assert.equal(made('a').markup + made('<').markup, '<p>a</p><p>&lt;</p>');
  });
});

test('a line feed at the start of a text field is preserved, although parsers drop it', () => {
  for (const text of ['\nfirst', '\n\nfirst', 'first'])
    assert.equal(textOf(parseFragment(html`<textarea>${text}</textarea>`.markup)), text);
  assert.equal(textOf(parseFragment(html`<textarea>${'a'}${'\nb'}</textarea>`.markup)), 'a\nb');
});

test('data for a script never ends its element', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const elements = elementsOf(
        parseFragment(
          html`<div>${jsonBlock('data', { text })}</div>
            <p>after</p>`.markup,
        ),
      );
      assert.deepEqual(
        elements.map(({ tagName }) => tagName),
        ['div', 'script', 'p'],
      );
      assert.equal(JSON.parse(textOf(elements[1] as Node)).text.toWellFormed(), text.toWellFormed());
    }),
  );
});

test('web addresses in a text become links to the same address', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(nasty, fc.webUrl({ withQueryParameters: true }))), (pieces) => {
      const text = pieces.join(' ');
      const fragment = parseFragment(`<p>${linked(text).markup}</p>`);
      for (const element of elementsOf(fragment).slice(1)) {
        assert.equal(element.tagName, 'a');
        assert.equal(attributeOf(element, 'href'), textOf(element));
      }
      assert.equal(asParsed(textOf(fragment)), asParsed(text));
    }),
  );
});
