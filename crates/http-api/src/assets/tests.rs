use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use actix_web::http::Method;
use actix_web::http::header::{ACCEPT_ENCODING, ACCEPT_LANGUAGE, AsHeaderName, HeaderMap, IF_NONE_MATCH};
use actix_web::middleware::{Compress, from_fn};
use actix_web::{App, HttpServer, guard, test};

use super::*;
use crate::vary::vary_once;

#[derive(RustEmbed)]
#[folder = "tests/frontend"]
struct Fixture;

async fn fixture(request: HttpRequest, path: web::Path<String>) -> Result<HttpResponse, Failure> {
    file::<Fixture>(&request, &path)
}

async fn first_page(request: HttpRequest) -> Result<HttpResponse, Failure> {
    opening::<Fixture>(&request)
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: impl AsHeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }
}

async fn ask(path: &str, headers: &[(&str, &str)]) -> Answer {
    let app = App::new().wrap(Compress::default()).wrap(from_fn(vary_once));
    let app = app.route("/", web::get().to(first_page)).route("/{path:.*}", web::get().to(fixture));
    let service = test::init_service(app).await;
    let mut request = test::TestRequest::with_uri(path);
    for header in headers {
        request = request.insert_header(*header);
    }
    let response = test::call_service(&service, request.to_request()).await;
    let (status, headers) = (response.status(), response.headers().clone());
    Answer { status, headers, body: test::read_body(response).await.to_vec() }
}

async fn accepting(accepted: &str, path: &str) -> Answer {
    ask(path, &[(ACCEPT_ENCODING.as_str(), accepted)]).await
}

fn stored(path: &str) -> Vec<u8> {
    Fixture::get(path).expect("in tests/frontend").data.into_owned()
}

#[actix_web::test]
async fn each_reader_gets_the_smallest_form_it_takes() {
    for (accepted, coding) in [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0.5, identity;q=0.1", "br"),
        ("gzip, deflate", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br;q=0.1, gzip;q=0.9", "gzip"),
        ("br;q=0", ""),
        ("identity", ""),
        ("zstd", ""),
        ("", ""),
    ] {
        let answer = accepting(accepted, "/assets/a-1.js").await;
        assert_eq!((answer.status, answer.header(CONTENT_ENCODING)), (StatusCode::OK, coding), "{accepted}");
        assert_eq!(answer.header(CONTENT_TYPE), "text/javascript; charset=utf-8", "{accepted}");
        let varies: Vec<_> = answer.headers.get_all(VARY).collect();
        assert_eq!(varies, ["accept-encoding"], "{accepted}");
        match coding {
            "br" => assert_eq!(answer.body, stored("assets/a-1.js.br")),
            "gzip" => assert_eq!(answer.body.get(..2), Some(&[0x1f, 0x8b][..])),
            _ => assert_eq!(answer.body, stored("assets/a-1.js"), "{accepted}"),
        }
    }
    let answer = ask("/assets/a-1.js", &[]).await;
    assert_eq!((answer.header(CONTENT_ENCODING), &answer.body), ("", &stored("assets/a-1.js")));
}

#[actix_web::test]
async fn a_file_that_was_not_compressed_goes_out_all_the_same() {
    assert_eq!(accepting("br, gzip", "/sw.js").await.header(CONTENT_ENCODING), "gzip");
    let answer = accepting("br", "/sw.js").await;
    assert_eq!((answer.header(CONTENT_ENCODING), &answer.body), ("", &stored("sw.js")));
}

#[actix_web::test]
async fn what_a_reader_has_is_not_sent_again() {
    let whole = accepting("identity", "/index.html").await;
    let small = accepting("br", "/index.html").await;
    assert_ne!(whole.header(ETAG), small.header(ETAG));
    for (accepted, known) in [("br", &small), ("gzip", &whole), ("identity", &whole)] {
        for listed in [known.header(ETAG).to_owned(), format!("\"other\", {}", known.header(ETAG)), "*".to_owned()] {
            let headers = [(ACCEPT_ENCODING.as_str(), accepted), (IF_NONE_MATCH.as_str(), &listed)];
            let answer = ask("/index.html", &headers).await;
            assert_eq!((answer.status, answer.body.len()), (StatusCode::NOT_MODIFIED, 0), "{accepted} {listed}");
            assert_eq!((answer.header(ETAG), answer.header(CACHE_CONTROL)), (known.header(ETAG), NEVER));
            assert_eq!((answer.header(VARY), answer.header(CONTENT_ENCODING)), ("accept-encoding", ""));
        }
    }
    for (accepted, listed) in [("br", whole.header(ETAG)), ("gzip", small.header(ETAG)), ("br", "unreadable")] {
        let headers = [(ACCEPT_ENCODING.as_str(), accepted), (IF_NONE_MATCH.as_str(), listed)];
        assert_eq!(ask("/index.html", &headers).await.status, StatusCode::OK, "{accepted} {listed}");
    }
}

#[actix_web::test]
async fn what_names_the_other_files_is_asked_for_each_time() {
    for path in ["/index.html", "/index.de.html", "/sw.js", "/manifest.webmanifest"] {
        assert_eq!(ask(path, &[]).await.header(CACHE_CONTROL), NEVER, "{path}");
    }
    assert_eq!(ask("/assets/a-1.js", &[]).await.header(CACHE_CONTROL), FOREVER);
    assert_eq!(ask("/favicon.svg", &[]).await.header(CACHE_CONTROL), AN_HOUR);
    assert_eq!(ask("/manifest.webmanifest", &[]).await.header(CONTENT_TYPE), "application/manifest+json");
}

#[actix_web::test]
async fn the_first_page_is_in_the_readers_language() {
    for (wanted, path) in [
        ("de-AT,de;q=0.9,en;q=0.5", "index.de.html"),
        ("en-GB,en;q=0.9,de;q=0.2", "index.html"),
        ("tlh", "index.html"),
        ("", "index.html"),
    ] {
        for accepted in ["identity", "gzip"] {
            let headers = [(ACCEPT_LANGUAGE.as_str(), wanted), (ACCEPT_ENCODING.as_str(), accepted)];
            let answer = ask("/", &headers).await;
            assert_eq!((answer.status, answer.header(CACHE_CONTROL)), (StatusCode::OK, NEVER), "{wanted}");
            let mut varies: Vec<_> = answer.headers.get_all(VARY).collect();
            varies.sort();
            assert_eq!(varies, ["accept-encoding", "accept-language"], "{wanted} {accepted}");
            if accepted == "identity" {
                assert_eq!(answer.body, stored(path), "{wanted}");
            }
        }
    }
    // What a reader has of one language is no answer in another.
    let tag_in = |wanted| async move { ask("/", &[(ACCEPT_LANGUAGE.as_str(), wanted)]).await.header(ETAG).to_owned() };
    let german = tag_in("de").await;
    for (wanted, status) in [("de", StatusCode::NOT_MODIFIED), ("en", StatusCode::OK)] {
        let headers = [(ACCEPT_LANGUAGE.as_str(), wanted), (IF_NONE_MATCH.as_str(), german.as_str())];
        let answer = ask("/", &headers).await;
        assert_eq!(answer.status, status, "{wanted}");
        assert!(answer.headers.get_all(VARY).any(|value| value == "accept-language"), "{wanted}");
    }
}

const FILM: &str = "/products/film.mp4";

/// The status, `Content-Range`, and the body.
async fn part(range: &str, more: &[(&str, &str)]) -> (u16, String, Vec<u8>) {
    let headers = [&[("Range", range), (ACCEPT_ENCODING.as_str(), "gzip, br")], more].concat();
    let answer = ask(FILM, &headers).await;
    assert_eq!((answer.header(ACCEPT_RANGES), answer.header(CONTENT_ENCODING)), ("bytes", ""), "{range}");
    let kept = if answer.status == StatusCode::RANGE_NOT_SATISFIABLE { "no-store" } else { AN_HOUR };
    assert_eq!((answer.header(CONTENT_TYPE), answer.header(CACHE_CONTROL)), ("video/mp4", kept), "{range}");
    (answer.status.as_u16(), answer.header(CONTENT_RANGE).to_owned(), answer.body)
}

#[actix_web::test]
async fn a_video_comes_in_the_parts_that_players_ask_for() {
    let film = stored("products/film.mp4");
    assert_eq!(film.len(), 26);
    for (range, first, last) in [
        ("bytes=0-1", 0, 1),
        ("bytes=0-", 0, 25),
        ("bytes=5-9", 5, 9),
        ("bytes=25-25", 25, 25),
        ("bytes=20-99", 20, 25),
        ("bytes=-3", 23, 25),
        ("bytes=-99", 0, 25),
        ("bytes=0-18446744073709551615", 0, 25),
    ] {
        let said = format!("bytes {first}-{last}/26");
        assert_eq!(part(range, &[]).await, (206, said, film[first..=last].to_vec()), "{range}");
    }
    for range in ["bytes=26-", "bytes=26-30", "bytes=-0", "bytes=18446744073709551615-"] {
        assert_eq!(part(range, &[]).await, (416, "bytes */26".to_owned(), Vec::new()), "{range}");
    }
    // Several, what nobody can read, and other units.
    for range in ["bytes=0-1,5-9", "bytes=5-3", "bytes=", "bytes", "bytes=a-b", "seconds=0-1", ""] {
        assert_eq!(part(range, &[]).await, (200, String::new(), film.clone()), "{range}");
    }
}

#[actix_web::test]
async fn a_part_is_continued_only_of_the_same_video() {
    let film = stored("products/film.mp4");
    let tag = ask(FILM, &[]).await.header(ETAG).to_owned();
    assert!(tag.starts_with('"'), "weak tags continue nothing: {tag}");
    let rest = || (206, "bytes 20-25/26".to_owned(), film[20..].to_vec());
    assert_eq!(part("bytes=20-", &[("If-Range", &tag)]).await, rest());
    let date = "Sat, 28 Nov 2026 12:00:00 GMT";
    for other in ["\"other\"", &format!("W/{tag}"), date, "unreadable", ""] {
        assert_eq!(part("bytes=20-", &[("If-Range", other)]).await, (200, String::new(), film.clone()), "{other}");
    }
    let known = ask(FILM, &[("Range", "bytes=20-"), (IF_NONE_MATCH.as_str(), &tag)]).await;
    assert_eq!((known.status, known.body.len()), (StatusCode::NOT_MODIFIED, 0), "this is asked first");
}

#[actix_web::test]
async fn what_is_no_video_comes_whole() {
    let answer = ask("/assets/a-1.js", &[("Range", "bytes=0-1")]).await;
    assert_eq!((answer.status, answer.header(ACCEPT_RANGES)), (StatusCode::OK, ""));
    assert_eq!(answer.body, stored("assets/a-1.js"), "gzip would change its bytes under the same tag");
}

#[actix_web::test]
async fn what_is_missing_is_not_found() {
    for path in ["/assets/gone-1.js", "/assets/a-1.js.br", "/index.html.br"] {
        let answer = accepting("br", path).await;
        assert_eq!((answer.status, answer.header(ETAG)), (StatusCode::NOT_FOUND, ""), "{path}");
    }
}

/// The raw bytes of a response.
async fn raw(server: SocketAddr, request: String) -> String {
    let talk = move || {
        let mut stream = TcpStream::connect(server)?;
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok::<_, std::io::Error>(String::from_utf8_lossy(&answer).into_owned())
    };
    web::block(talk).await.expect("a thread").expect("an answer")
}

/// Only a real server leaves out the body.
#[actix_web::test]
async fn a_head_is_answered_like_a_get_without_the_body() {
    let app = || {
        let file = web::route().guard(guard::Any(guard::Get()).or(guard::Head())).to(fixture);
        App::new().wrap(Compress::default()).route("/{path:.*}", file)
    };
    let server = HttpServer::new(app).workers(1).disable_signals().bind("127.0.0.1:0").expect("a port");
    let address = *server.addrs().first().expect("an address");
    let running = server.run();
    let handle = running.handle();
    actix_web::rt::spawn(running);
    let ranged = "HEAD /products/film.mp4 HTTP/1.1\r\nHost: placard\r\nConnection: close\r\nRange: bytes=0-1\r\n\r\n";
    let answer = raw(address, ranged.to_owned()).await;
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("content-length: 26\r\n"), "{answer}");
    for accepted in ["br", "gzip", "identity"] {
        let mut heads = Vec::new();
        for method in ["GET", "HEAD"] {
            let host = "Host: placard\r\nConnection: close";
            let request = format!("{method} /assets/a-1.js HTTP/1.1\r\n{host}\r\nAccept-Encoding: {accepted}\r\n\r\n");
            let answer = raw(address, request).await;
            let (head, body) = answer.split_once("\r\n\r\n").expect("an empty line");
            assert_eq!(body.is_empty(), method == "HEAD", "{accepted} {answer}");
            let mut lines: Vec<_> =
                head.lines().filter(|line| !line.starts_with("date: ")).map(str::to_owned).collect();
            lines.sort();
            heads.push(lines);
        }
        assert_eq!(heads.first(), heads.last(), "{accepted}");
    }
    handle.stop(false).await;
}

#[actix_web::test]
async fn both_routes_take_a_head() {
    let service = test::init_service(App::new().service(index).service(asset)).await;
    for path in ["/", "/assets/gone-1.js"] {
        for (method, taken) in [(Method::GET, true), (Method::HEAD, true), (Method::POST, false)] {
            let request = test::TestRequest::with_uri(path).method(method.clone()).to_request();
            let response = test::call_service(&service, request).await;
            // Without a built frontend, the page itself is a server error.
            let answered =
                response.status() == StatusCode::OK || response.response().extensions().contains::<Failure>();
            assert_eq!(answered, taken, "{method} {path}");
        }
    }
}
