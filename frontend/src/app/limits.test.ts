import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as conversation from '@/features/help/conversation/draft';
import { maxImages } from '@/features/help/feedback/draft';
import { maxLength } from '@/features/help/feedback/feedback.schema';

type Limits = { maxLength?: number; maxItems?: number };
type Described = {
  components: { schemas: Record<string, { properties: Record<string, Limits> }> };
};

const file = join(import.meta.dirname, '../../openapi.json');
const { schemas } = (JSON.parse(readFileSync(file, 'utf8')) as Described).components;

it('limits what is written as the server does', () => {
  expect(schemas.FeedbackRequest?.properties).toMatchObject({
    topic: { maxLength: maxLength.topic },
    content: { maxLength: maxLength.content },
    images: { maxItems: maxImages },
  });
  expect(schemas.MessageRequest?.properties).toMatchObject({
    text: { maxLength: conversation.maxLength },
    pictures: { maxItems: conversation.maxPictures },
  });
});
