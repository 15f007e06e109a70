//! What the API's handlers and types are marked with. The server needs of it a handler's method and path, and nothing of the types:
//! the description is a file of the repository (`docs/openapi.json`), which a test holds to the code. Only such tests build with the
//! feature `describe`, and with utoipa; for everybody else that took ten seconds of processor time in a build from nothing.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// `#[path(get, path = "/api/games", …)]`: the words of utoipa's attribute of that name. Beside the handler `name` stands
/// `__route_name` with its `METHOD` and `PATH`, for [`routes!`].
#[proc_macro_attribute]
pub fn path(words: TokenStream, handler: TokenStream) -> TokenStream {
    let (Some(method), Some(path), Some(name)) = (method(&words), text_of(&words, "path"), name(&handler)) else {
        return refuse("wanted: #[path(get, path = \"/api/…\", …)] before a function");
    };
    let route = format!(
        "#[doc(hidden)] #[allow(non_camel_case_types)] pub(crate) struct __route_{name};
         impl __route_{name} {{
             pub(crate) const METHOD: ::axum::routing::MethodFilter = ::axum::routing::MethodFilter::{method};
             pub(crate) const PATH: &'static str = {path};
         }}"
    );
    let described = match cfg!(feature = "describe") {
        true => format!("#[::utoipa::path({words})]").parse().unwrap_or_default(),
        false => TokenStream::new(),
    };
    let route: TokenStream = route.parse().unwrap_or_default();
    [described, handler, route].into_iter().collect()
}

/// `routes!(tables::create, tables::list)`: a path and the handlers of its methods, as axum's router takes them.
#[proc_macro]
pub fn routes(handlers: TokenStream) -> TokenStream {
    let mut paths: Vec<Vec<TokenTree>> = vec![Vec::new()];
    for token in handlers {
        match (&token, paths.last_mut()) {
            (TokenTree::Punct(mark), _) if mark.as_char() == ',' => paths.push(Vec::new()),
            (_, Some(last)) => last.push(token),
            (_, None) => (),
        }
    }
    let mut all = String::from("::axum::routing::MethodRouter::new()");
    let mut first = None;
    for handler in paths {
        let mut route = handler.clone();
        let Some(TokenTree::Ident(last)) = route.pop() else {
            return refuse("wanted: routes!(module::handler, …)");
        };
        route.push(TokenTree::Ident(Ident::new(
            &format!("__route_{last}"),
            Span::call_site(),
        )));
        let [handler, route] = [handler, route].map(|path| path.into_iter().collect::<TokenStream>());
        all += &format!(".on({route}::METHOD, {handler})");
        first.get_or_insert(route);
    }
    let first = first.map(|route| route.to_string()).unwrap_or_default();
    format!("({first}::PATH, {all})").parse().unwrap_or_default()
}

/// Nothing: stands in the place of utoipa's `ToSchema`.
#[proc_macro_derive(ToSchema, attributes(schema))]
pub fn to_schema(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Nothing: stands in the place of utoipa's `IntoParams`.
#[proc_macro_derive(IntoParams, attributes(into_params, param))]
pub fn into_params(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// The first word, as axum writes methods.
fn method(words: &TokenStream) -> Option<String> {
    match words.clone().into_iter().next()? {
        TokenTree::Ident(method) => Some(method.to_string().to_uppercase()),
        _ => None,
    }
}

/// What is written after `name =`, outside of all brackets.
fn text_of(words: &TokenStream, name: &str) -> Option<String> {
    let mut words = words.clone().into_iter();
    while let Some(word) = words.next() {
        if matches!(&word, TokenTree::Ident(it) if it.to_string() == name) {
            return words.nth(1).map(|text| text.to_string());
        }
    }
    None
}

/// The name of a function.
fn name(handler: &TokenStream) -> Option<String> {
    let mut tokens = handler.clone().into_iter();
    tokens.find(|token| matches!(token, TokenTree::Ident(word) if word.to_string() == "fn"))?;
    tokens.next().map(|name| name.to_string())
}

/// An error of the compiler.
fn refuse(why: &str) -> TokenStream {
    let mut said: TokenStream = "::core::compile_error!".parse().unwrap_or_default();
    let text = TokenTree::Literal(proc_macro::Literal::string(why));
    said.extend([TokenTree::Group(Group::new(Delimiter::Brace, text.into()))]);
    said
}
