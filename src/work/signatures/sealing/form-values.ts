import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { type FormField, layoutText, type PDF, type PDFForm, PdfName, PdfNumber, PdfString } from '@libpdf/core';
import { Unsealable } from './pdf-sealer.ts';

type TextField = NonNullable<ReturnType<PDFForm['getTextField']>>;
type ListBox = NonNullable<ReturnType<PDFForm['getListBox']>>;
type ValueField = TextField | ListBox;
type Widget = ReturnType<FormField['getWidgets']>[number];
type Font = ReturnType<PDF['embedFont']>;

/** A field with a text value, the text, and the widgets that draw it. */
export type Entry = { field: ValueField; text: string; widgets: Widget[] };

const readOnly = 1;
/** Minimum font size, in points. Smaller text is not legible on paper. */
const smallest = 4;
const usual = 12;
const lineHeight = 1.2;
/** Padding that the library adds to a field, in points: left and right, and above and below the text. */
const room = { side: 6, around: 2 } as const;

/** Loaded with the module, because the sandboxed process cannot open files. */
const face = new Uint8Array(
  readFileSync(join(dirname(findPackageJSON('@embedpdf/fonts-latin', import.meta.url) ?? ''), 'fonts/NotoSans-Regular.ttf')),
);

const isValueField = (field: FormField): field is ValueField => field.type === 'text' || field.type === 'listbox';

/** Converts each drop-down list to a text field with the selected text. The library would draw a list without a frame and cut off its text. */
export function openDropdowns(form: PDFForm): void {
  for (const field of form.getDropdowns()) {
    const chosen = chosenOf(field.getOptions(), [field.getValue()]);
    const dict = field.acroField();
    dict.set('FT', PdfName.of('Tx'));
    dict.set('Ff', PdfNumber.of(field.flags & readOnly));
    dict.set('V', PdfString.fromString(chosen.join('')));
  }
  form.acroForm().clearCache();
  form.reloadFields();
}

/** Returns the entry of a field, or undefined if its value is not visible. */
export function entriesOf(field: FormField, isDrawn: (widget: Widget['dict']) => boolean): Entry[] {
  if (!isValueField(field) || (field.type === 'text' && field.isPassword)) return [];
  const widgets = field.getWidgets().filter(({ dict }) => isDrawn(dict));
  const text = field.type === 'text' ? field.getValue() : chosenOf(field.getOptions(), field.getValue()).join('\n');
  return widgets.length === 0 ? [] : [{ field, text: text.trim() === '' ? '' : text, widgets }];
}

/** Returns the display texts of the selected options of a list. */
function chosenOf(options: ReturnType<ListBox['getOptions']>, chosen: readonly string[]): string[] {
  const called = new Map(options.map(({ value, display }) => [value, display]));
  return chosen.map((value) => called.get(value) ?? value);
}

/** Whether a widget has its own border or background. */
export function isFramed(widget: Widget): boolean {
  const look = widget.getAppearanceCharacteristics();
  return look?.borderColor !== undefined || look?.backgroundColor !== undefined;
}

/** Redraws frames and values in an embedded font. Throws if the font lacks a character or the field is too small. */
export function redraw(pdf: PDF, entries: readonly Entry[]): void {
  if (entries.length === 0) return;
  const font = pdf.embedFont(face);
  // Flattening removes the fields, so the file only needs the characters that are drawn.
  font.markUsedInForm = () => undefined;
  // `sizeIn` checks each line. For a text with a line break, the library would use another font.
  font.canEncode = () => true;
  for (const { field, text, widgets } of entries) {
    const size = text === '' ? usual : Math.min(...widgets.map((widget) => sizeIn(widget, { field, text, font })));
    field.setFont(font);
    field.setFontSize(size);
    if (field.isReadOnly()) writable(field);
    // The library draws a list only if it has no appearance.
    for (const { dict } of widgets) dict.delete('AP');
  }
  pdf.getForm()?.updateAppearances();
}

/** Removes the read-only flag of a field, because the library does not draw read-only fields. */
export function writable(field: FormField): void {
  field.acroField().set('Ff', PdfNumber.of(field.flags & ~readOnly));
}

/** Returns the font size at which a field shows its whole value. */
function sizeIn(widget: Widget, { field, text, font }: { field: ValueField; text: string; font: Font }): number {
  const lines = field.type === 'listbox' ? field.getOptions().map(({ display }) => display) : text.split(/\r\n|\r|\n/);
  const odd = lines.flatMap((line) => font.getUnencodableCharacters(line))[0];
  if (odd !== undefined) throw notShown(field, `has “${odd}”, which the font of the service does not contain`);
  const declaredSize = Number(/([\d.]+)\s+Tf/.exec(field.defaultAppearance ?? '')?.[1] ?? 0);
  for (let size = declaredSize > 0 ? declaredSize : Math.min(usual, Math.max(smallest, widget.height * 0.7)); size >= smallest; size -= 0.5)
    if (fits(widget, { field, text, font, size })) return size;
  throw notShown(field, 'has more text than fits in it');
}

function fits(widget: Widget, { field, text, font, size }: { field: ValueField; text: string; font: Font; size: number }): boolean {
  const width = (line: string) => font.getTextWidth(line, size);
  const [across, along] = turnedSize(widget);
  if (field.type === 'listbox') {
    // The list begins with the first selected option.
    const options = field.getOptions();
    const chosen = new Set(field.getValue());
    const places = options.flatMap(({ value }, at) => (chosen.has(value) ? [at] : []));
    const [first = 0, last = 0] = [places[0], places.at(-1)];
    if (first > 0) field.acroField().set('TI', PdfNumber.of(first));
    return places.every((at) => width(options[at]?.display ?? '') <= across - room.side) && (last - first + 1) * size * 1.4 <= along;
  }
  if (field.isMultiline) {
    const { lines } = layoutText(text.replaceAll(/\r\n?/g, '\n'), font, size, across - room.side, size * lineHeight);
    return (lines.length + 0.5) * size * lineHeight <= along - room.around;
  }
  if (/[\r\n]/.test(text)) return false;
  if (size * lineHeight > along - room.around) return false;
  if (field.isComb && field.maxLength > 0) return text.length <= field.maxLength;
  return width(text) <= across - room.side;
}

/** Returns the width and height that are available for the text of a rotated field. */
function turnedSize(widget: Widget): [number, number] {
  const turned = Math.abs(widget.getAppearanceCharacteristics()?.rotation ?? 0) % 180 === 90;
  return turned ? [widget.height, widget.width] : [widget.width, widget.height];
}

export const notShown = ({ name }: { name: string }, why: string): Unsealable =>
  new Unsealable(
    'form_value_not_shown',
    `The form field “${name}” ${why}. Open the file in a PDF viewer, print it as PDF and upload the new file.`,
  );
