//! Amounts, moments and ids are texts. Each place says `string` itself in place of a
//! reference to their common schema.

use base::views::TEXT;
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{OpenApi, Ref, RefOr};

pub fn inline(document: &mut OpenApi) {
    let Some(components) = &mut document.components else { return };
    components.schemas.remove(TEXT);
    components.schemas.values_mut().for_each(inline_in);
    let calls = document.paths.paths.values_mut().flat_map(|item| [&mut item.get, &mut item.post]).flatten();
    for response in calls.flat_map(|call| call.responses.responses.values_mut()) {
        let RefOr::T(response) = response else { continue };
        for content in response.content.values_mut() {
            if let RefOr::T(content) = content {
                content.schema.iter_mut().for_each(inline_in);
            }
        }
    }
}

fn inline_in(schema: &mut RefOr<Schema>) {
    if let Some((description, may_be_null)) = text_of(schema) {
        let kinds =
            if may_be_null { SchemaType::from_iter([Type::String, Type::Null]) } else { SchemaType::new(Type::String) };
        *schema = ObjectBuilder::new().schema_type(kinds).description(description).into();
    } else if let RefOr::T(schema) = schema {
        children(schema).into_iter().for_each(inline_in);
    }
}

/// The description of a text field, and whether it may be null; `None` if it is not a text.
fn text_of(schema: &RefOr<Schema>) -> Option<(Option<String>, bool)> {
    match schema {
        RefOr::Ref(place) => Some((said_of(place)?, false)),
        RefOr::T(Schema::OneOf(of)) => {
            let place = of.items.iter().find_map(|item| match item {
                RefOr::Ref(place) => said_of(place),
                RefOr::T(_) => None,
            })?;
            Some((place.or_else(|| of.description.clone()), true))
        }
        RefOr::T(_) => None,
    }
}

fn said_of(place: &Ref) -> Option<Option<String>> {
    let is_text = place.ref_location.rsplit('/').next() == Some(TEXT);
    is_text.then(|| Some(place.description.clone()).filter(|text| !text.is_empty()))
}

/// The schemas that stand in this one.
pub fn children(schema: &mut Schema) -> Vec<&mut RefOr<Schema>> {
    match schema {
        Schema::Object(object) => {
            let more = match object.additional_properties.as_deref_mut() {
                Some(AdditionalProperties::RefOr(schema)) => Some(schema),
                _ => None,
            };
            object.properties.values_mut().chain(more).collect()
        }
        Schema::Array(array) => match &mut array.items {
            ArrayItems::RefOrSchema(items) => vec![items],
            ArrayItems::False => Vec::new(),
        },
        Schema::OneOf(of) => of.items.iter_mut().collect(),
        Schema::AllOf(of) => of.items.iter_mut().collect(),
        Schema::AnyOf(of) => of.items.iter_mut().collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use base::{Money, PlanId, Timestamp};
    use utoipa::openapi::{ComponentsBuilder, OpenApiBuilder};
    use utoipa::{PartialSchema, ToSchema};

    use super::*;

    /// The same fields, with other types in the program.
    macro_rules! bill {
        ($name:ident: $amount:ty, $moment:ty, $id:ty) => {
            #[derive(ToSchema)]
            #[allow(dead_code, reason = "only its description is used")]
            struct $name {
                amount: $amount,
                /// When it was sent.
                sent_at: $moment,
                paid_at: Option<$moment>,
                /// When it was given back.
                refunded_at: Option<$moment>,
                plans: Vec<$id>,
                by_plan: BTreeMap<String, $amount>,
            }
        };
    }
    bill!(OfValues: Money, Timestamp, PlanId);
    bill!(OfTexts: String, String, String);

    #[test]
    fn values_are_described_as_the_texts_that_they_are() {
        let described = |schema: RefOr<Schema>| {
            let components = ComponentsBuilder::new().schema("Bill", schema).schema(TEXT, Money::schema()).build();
            let mut document = OpenApiBuilder::new().components(Some(components)).build();
            inline(&mut document);
            serde_json::to_value(document.components).expect("JSON")["schemas"].clone()
        };
        let values = described(OfValues::schema());
        let texts = described(OfTexts::schema());
        assert_eq!(values, texts);
        assert_eq!(values.as_object().expect("schemas").len(), 1);
    }
}
