import type { Json } from '../../emulator/platform.ts';

/** What reads a model's fields: by wire name, from the node of each. */
type Fields = Readonly<Record<string, (node: Json) => void>>;
/** What the client makes models with: the fields of the model that a node is read into. */
type ModelFactory = (node: Json) => (model: Json) => Fields;

/**
 * Lets a node of a reply read lists of plain values without being told their type. The client was generated to read them so, and
 * the runtime that it resolves to has forgotten how: microsoft/kiota-typescript#2061.
 */
export function readingPlainLists(node: Json): Json {
  const { getCollectionOfPrimitiveValues, getCollectionOfObjectValues, getObjectValue } = node;
  return Object.assign(node, {
    getCollectionOfPrimitiveValues: (type?: string) => getCollectionOfPrimitiveValues(type ?? typeOfItems(getCollectionOfPrimitiveValues)),
    getCollectionOfObjectValues: (factory: ModelFactory) => getCollectionOfObjectValues(readingFields(factory)),
    getObjectValue: (factory: ModelFactory) => getObjectValue(readingFields(factory)),
  });
}

/** The first type that a list lets itself be read as. */
function typeOfItems(read: (type: string) => unknown): string | undefined {
  return ['string', 'number', 'boolean'].find((type) => {
    try {
      read(type);
      return true;
    } catch {
      return false;
    }
  });
}

function readingFields(factory: ModelFactory): ModelFactory {
  return (node) => {
    const fieldsOf = factory(node);
    if (typeof fieldsOf !== 'function') {
      return fieldsOf;
    }
    return (model) => {
      const fields = fieldsOf(model);
      const plain = Object.values(fields).every((read) => typeof read === 'function');
      return plain
        ? Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, (child: Json) => read(readingPlainLists(child))]))
        : fields;
    };
  };
}
