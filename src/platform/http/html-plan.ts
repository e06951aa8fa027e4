/** The position of a placeholder in a template. It determines how the value is escaped. */
export type Hole =
  /** Between tags. */
  | { kind: 'content' }
  /** In an element that contains only text. `leads`: directly after the start tag, where a parser drops a line feed. */
  | { kind: 'text'; leads: boolean }
  /** In the quoted value of an attribute. */
  | { kind: 'value' }
  /**
   * In a URL attribute. `before` is the text between the previous placeholder or quote and this one; `after` is the rest, for the last placeholder.
   */
  | { kind: 'address'; loads: boolean; before: string; after?: string }
  /** Among the attributes of an element. */
  | { kind: 'attributes'; element: string };

/** Values that an attribute accepts: any text, a URL for a link, a URL for loading or sending, or no dynamic value. */
export type AttributeKind = 'value' | 'link' | 'loaded' | 'never';

const neverFilled = /^(?:on.*|style|srcset|srcdoc|imagesrcset|ping|manifest|background|codebase|classid|archive|http-equiv|xmlns|.*:.*)$/;
const addresses = new Set(['href', 'src', 'action', 'formaction', 'poster', 'data', 'cite']);

/** Returns the kind of values that an attribute of an element accepts. */
export function attributeKind(element: string, name: string): AttributeKind {
  if (neverFilled.test(name)) return 'never';
  if (!addresses.has(name)) return 'value';
  return name === 'cite' || (name === 'href' && (element === 'a' || element === 'area')) ? 'link' : 'loaded';
}

/** Elements that contain only text and accept values. */
const textElements = new Set(['title', 'textarea']);
/** Elements that must be empty in a template. */
const emptyElements = new Set(['script', 'style', 'iframe', 'xmp', 'noembed', 'noframes']);
/** Elements that change the meaning of the rest of the page. */
const refusedElements = new Set(['base', 'plaintext', 'animate', 'animatetransform', 'animatemotion', 'set']);

type State =
  | 'content'
  | 'tag opens'
  | 'end tag opens'
  | 'tag name'
  | 'end tag'
  | 'before attribute'
  | 'attribute name'
  | 'after attribute name'
  | 'before value'
  | 'quoted'
  | 'unquoted'
  | 'after value'
  | 'tag ends'
  | 'declaration'
  | 'comment'
  | 'text element'
  | 'empty element';

const letter = /[a-z]/i;
const space = /[\t\n\f\r ]/;

/**
 * Reads the fixed text of a template as HTML, like the tokenizer of the standard (WHATWG HTML 13.2.5), but stricter. It
 * rejects markup that parsers would repair, such as a quote in a name.
 */
class TemplateReader {
  readonly holes: Hole[] = [];
  private state: State = 'content';
  private element = '';
  private attribute = '';
  private quote = '';
  /** The text after the start of the state or after the last placeholder. */
  private read = '';

  literal(text: string): void {
    for (const character of text) this.next(character);
  }

  hole(): void {
    const { state } = this;
    if (state === 'content') this.holes.push({ kind: 'content' });
    else if (state === 'text element') this.holes.push({ kind: 'text', leads: this.read === '' });
    else if (state === 'quoted') this.holes.push(this.valueHole());
    else if (state === 'before attribute') this.holes.push({ kind: 'attributes', element: this.element });
    else
      this.refuse(
        `a value is not allowed ${state === 'before value' || state === 'unquoted' ? 'in an attribute without quotes' : `here: ${state}`}`,
      );
    if (state === 'before attribute') this.enter('after value');
    // After a placeholder no text is at the start.
    this.read = state === 'text element' ? ' ' : '';
  }

  end(): readonly Hole[] {
    if (this.state !== 'content') this.refuse('the template ends inside a tag');
    return this.holes;
  }

  private valueHole(): Hole {
    const kind = attributeKind(this.element, this.attribute);
    if (kind === 'never') this.refuse('a value is not allowed in this attribute');
    return kind === 'value' ? { kind } : { kind: 'address', loads: kind === 'loaded', before: this.read };
  }

  private refuse(why: string): never {
    throw new Error(`template: <${this.element}> ${this.attribute}: ${why}`);
  }

  private enter(state: State): void {
    this.state = state;
    this.read = '';
  }

  private next(character: string): void {
    switch (this.state) {
      case 'content':
        if (character === '<') this.enter('tag opens');
        return;
      case 'tag opens':
        return this.tagOpens(character);
      case 'end tag opens':
        if (!letter.test(character)) this.refuse('an end tag has no name');
        return this.enter('end tag');
      case 'end tag':
        if (character === '>') this.enter('content');
        else if (!/[\w\s-]/.test(character)) this.refuse('an end tag may contain only a name');
        return;
      case 'declaration':
      case 'comment':
        return this.declared(character);
      case 'text element':
      case 'empty element':
        return this.inTextOnly(character);
      default:
        return this.inTag(character);
    }
  }

  private tagOpens(character: string): void {
    this.element = '';
    this.attribute = '';
    if (character === '/') return this.enter('end tag opens');
    if (character === '!') return this.enter('declaration');
    if (character === '?') this.refuse('processing instructions are not allowed');
    if (!letter.test(character)) return this.enter('content');
    this.element = character.toLowerCase();
    this.enter('tag name');
  }

  private declared(character: string): void {
    this.read += character;
    if (this.state === 'declaration' && this.read === '--') this.enter('comment');
    else if (this.state === 'declaration' && this.read.startsWith('[')) this.refuse('CDATA sections are not allowed');
    else if (character === '>' && (this.state === 'declaration' || this.read.endsWith('-->'))) this.enter('content');
  }

  private inTextOnly(character: string): void {
    this.read += character;
    const ends = `</${this.element}`;
    if (this.read.toLowerCase().endsWith(ends)) return this.enter('end tag');
    if (this.state === 'empty element' && !ends.startsWith(this.read.toLowerCase())) this.refuse('the element must be empty in a template');
  }

  private inTag(character: string): void {
    if (this.state === 'quoted') return this.quoted(character);
    if (this.state === 'before value') return this.valueBegins(character);
    if (character === '>') return this.tagEnds();
    if (this.state === 'unquoted') return this.unquoted(character);
    if (space.test(character)) return this.spaceInTag();
    if (character === '/') return this.enter('tag ends');
    if (/["'<=`\0]/.test(character) && !(character === '=' && this.attribute !== '')) this.refuse(`${character} in a name`);
    if (this.state === 'tag name') this.element += character.toLowerCase();
    else if (this.state === 'attribute name') this.named(character);
    else if (this.state === 'after attribute name' && character === '=') this.enter('before value');
    else if (this.state === 'after value' || this.state === 'tag ends') this.refuse('a space is missing between attributes');
    else {
      this.attribute = character.toLowerCase();
      this.enter('attribute name');
    }
  }

  private named(character: string): void {
    if (character === '=') this.enter('before value');
    else this.attribute += character.toLowerCase();
  }

  private spaceInTag(): void {
    if (this.state === 'attribute name') this.enter('after attribute name');
    else if (this.state === 'tag ends') this.refuse('a space is not allowed after the slash');
    else if (this.state !== 'after attribute name') {
      this.attribute = '';
      this.enter('before attribute');
    }
  }

  private valueBegins(character: string): void {
    if (space.test(character)) return;
    if (character === '>') this.refuse('an attribute has no value');
    this.quote = character;
    this.enter(character === '"' || character === "'" ? 'quoted' : 'unquoted');
  }

  private quoted(character: string): void {
    if (character !== this.quote) {
      this.read += character;
      return;
    }
    const last = this.holes.at(-1);
    if (last?.kind === 'address' && last.after === undefined) last.after = this.read;
    this.attribute = '';
    this.enter('after value');
  }

  private unquoted(character: string): void {
    if (space.test(character)) this.enter('before attribute');
    else if (/["'<=`]/.test(character)) this.refuse('the value needs quotes');
  }

  private tagEnds(): void {
    if (refusedElements.has(this.element)) this.refuse('the element is not allowed in templates');
    const kept = emptyElements.has(this.element) ? 'empty element' : 'text element';
    this.enter(emptyElements.has(this.element) || textElements.has(this.element) ? kept : 'content');
  }
}

const plans = new WeakMap<readonly string[], readonly Hole[]>();

/** Returns the placeholders of a template. Each template is parsed once. Throws if a placeholder is in an unsafe position. */
export function planOf(strings: readonly string[]): readonly Hole[] {
  const kept = plans.get(strings);
  if (kept) return kept;
  const reader = new TemplateReader();
  for (const [place, text] of strings.entries()) {
    if (place > 0) reader.hole();
    reader.literal(text);
  }
  const plan = reader.end();
  plans.set(strings, plan);
  return plan;
}
